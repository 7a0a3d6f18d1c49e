import { open, stat } from 'node:fs/promises';
import { OpusStreamWriter } from '../../src/audio/ogg/opus-stream-writer.ts';
import { peaksFormat } from '../../src/contract/limits.ts';
import { openRecorderFile, type OpusTrack } from '../../src/server/features/recordings/remux/packet-reader.ts';
import { PacketPeaks } from '../../src/server/features/recordings/remux/packet-peaks.ts';
import { appendAll, beginTake, sealTake, sha256Hex, type ApiClient } from '../../tests/support/api-client.ts';

const packetMs = 20;
const samplesPerPacket = 48 * packetMs;

interface Speech { track: OpusTrack; packets: Uint8Array[]; peaks: Int8Array }

async function peaksOf(track: OpusTrack, packets: Uint8Array[]): Promise<Int8Array> {
  const peaks = await PacketPeaks.open(track.head);
  for (const packet of packets) peaks.push(packet);
  return peaks.finish();
}

/** The packets of the speech that the tests use too: eleven seconds of 1961, in the public domain. */
async function readSpeech(): Promise<Speech> {
  const path = new URL('../../tests/fixtures/speech-1961.webm', import.meta.url);
  const file = await open(path);
  try {
    const { size: sizeBytes } = await stat(path);
    const found = await openRecorderFile({
      sizeBytes,
      async read(startByte, endByteExclusive) {
        const bytes = new Uint8Array(endByteExclusive - startByte);
        await file.read(bytes, 0, bytes.length, startByte);
        return bytes;
      },
    });
    if (found.kind !== 'opus') throw new Error('the speech of the tests holds no Opus');
    const packets: Uint8Array[] = [];
    for await (const { bytes } of found.track.packets()) packets.push(bytes);
    return { track: found.track, packets, peaks: await peaksOf(found.track, packets) };
  } finally {
    await file.close();
  }
}

/** The speech over and over, as a device would have written it: Ogg pages and peaks. */
function composed({ track, packets, peaks }: Speech, durationMs: number): { audio: Buffer; peaks: Buffer; durationMs: number } {
  const writer = new OpusStreamWriter({ channels: track.head.channels, preSkip: track.head.preSkip, inputSampleRateHz: 48_000, serialNumber: 1961, vendor: 'earshot demo' });
  const pages = writer.headers();
  const count = Math.floor(durationMs / packetMs);
  for (let index = 0; index < count; index += 1) {
    const packet = packets[index % packets.length];
    const page = packet ? writer.push(packet) : null;
    if (page) pages.push(page);
  }
  pages.push(...writer.finish(count * samplesPerPacket));
  const points = new Int8Array((durationMs / 1000) * peaksFormat.pointsPerSecond * peaksFormat.bytesPerPoint);
  for (let offset = 0; offset < points.length; offset += peaks.length) points.set(peaks.subarray(0, points.length - offset), offset);
  return { audio: Buffer.concat(pages.map(({ bytes }) => bytes)), peaks: Buffer.from(points.buffer), durationMs: count * packetMs };
}

/** Stores a few recordings for whoever the client is signed in as, by the calls that a device makes. */
export async function storeSampleRecordings(client: ApiClient, samples: readonly { title: string; durationMs: number }[]): Promise<void> {
  const speech = await readSpeech();
  for (const { title, durationMs } of samples) {
    const made = composed(speech, durationMs);
    const take = await beginTake(client, title);
    await appendAll(client, { uploadId: take.audioId, token: take.token }, { bytes: made.audio });
    await appendAll(client, { uploadId: take.peaksId, token: take.token }, { bytes: made.peaks });
    const sealed = (bytes: Uint8Array) => ({ lengthBytes: bytes.length, sha256: sha256Hex(bytes) });
    await sealTake(client, take, { audio: sealed(made.audio), peaks: sealed(made.peaks), durationMs: made.durationMs });
  }
}
