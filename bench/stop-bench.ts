import { EarshotServer } from '#tests/support/earshot-server.ts';
import { speechFile } from '#tests/e2e/earshot-test.ts';
import { readWav } from '#tests/support/compare-speech.ts';
import { ApiClient, appendAll, startTake, sealTake, sha256Hex } from '#tests/support/api-client.ts';
import { withBrowser } from './bench-browser.ts';
import { percentile, round, type Row, type Section } from './figures.ts';
import { longTake, opusPacketsOf } from './synthetic-take.ts';

const runs = 15;
const lastPieceBytes = 3200;

async function stopTimes(
  client: ApiClient,
  bytes: { audio: Uint8Array; peaks: Uint8Array; durationMs: number },
): Promise<number[]> {
  const times: number[] = [];
  const hashes = { audio: sha256Hex(bytes.audio), peaks: sha256Hex(bytes.peaks) };
  for (let run = 0; run < runs; run += 1) {
    const take = await startTake(client);
    const already = bytes.audio.length - lastPieceBytes;
    await appendAll(
      client,
      { uploadId: take.audioId, token: take.token },
      { bytes: bytes.audio.subarray(0, already) },
    );
    await appendAll(client, { uploadId: take.peaksId, token: take.token }, { bytes: bytes.peaks });
    const stoppedAt = performance.now();
    await appendAll(
      client,
      { uploadId: take.audioId, token: take.token },
      { bytes: bytes.audio, fromByte: already },
    );
    await sealTake(client, take, {
      audio: { lengthBytes: bytes.audio.length, sha256: hashes.audio },
      peaks: { lengthBytes: bytes.peaks.length, sha256: hashes.peaks },
      durationMs: bytes.durationMs,
    });
    times.push(performance.now() - stoppedAt);
  }
  return times;
}

/**
 * Measures from Stop to the last receipt over the API: append the last piece, seal both streams, finish the
 * recording.
 */
export async function stopBench(): Promise<Section> {
  const speech = readWav(speechFile);
  const packets = await withBrowser(({ page }) => opusPacketsOf(page, speech));
  const server = await EarshotServer.launch();
  const client = new ApiClient(server.url);
  try {
    await client.signUp();
    const rows: Row[] = [];
    for (const [name, durationMs] of [
      ['10 s', 10_000],
      ['3 h', 3 * 3_600_000],
    ] as const) {
      const times = await stopTimes(client, longTake(packets, speech, durationMs));
      rows.push({
        take: name,
        runs,
        'p50 ms': round(percentile(times, 0.5)),
        'p90 ms': round(percentile(times, 0.9)),
      });
    }
    return {
      title: 'Stop → receipt over the API (loopback)',
      note: 'The 10-second take is the baseline of the 3-hour one.',
      rows,
    };
  } finally {
    client.close();
    await server.dispose();
  }
}
