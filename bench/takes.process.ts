import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { OpusStreamWriter } from '#audio/ogg/opus-stream-writer.ts';
import { ApiClient } from '#tests/support/api-client.ts';
import { percentile, round } from './figures.ts';
import { serveLoad } from './load-process.ts';
import { openTakes } from './recording-users.ts';

export interface TakesOptions {
  url: string;
  takes: number;
  everyMs: number;
  /** A take whose sound can be played, which grows in real time. */
  live: { uploadId: string; token: string };
}

export interface TakesResult {
  appends: number;
  rejected: number;
  p50Ms: number;
  p99Ms: number;
  mostMs: number;
}

/** As many bytes as half a second of speech at 48 kbit/s. */
const pieceBytes = 3000;

/** Speech-sized Ogg pages of a take, as they are written. */
function* livePages(): Generator<Uint8Array> {
  const writer = new OpusStreamWriter({
    channels: 1,
    preSkip: 312,
    inputSampleRateHz: 48_000,
    serialNumber: 1,
    vendor: 'earshot',
  });
  yield Buffer.concat(writer.headers().map(({ bytes }) => bytes));
  for (;;) {
    const page = writer.push(Uint8Array.from({ length: 120 }, (_, at) => (at === 0 ? 0xf8 : at)));
    if (page !== null) yield page.bytes;
  }
}

await serveLoad<TakesOptions, TakesResult>(async ({ url, takes, everyMs, live }) => {
  const open = await openTakes(url, takes);
  const offsets = new Map<number, number>();
  const piece = randomBytes(pieceBytes);
  const pages = livePages();
  const liveClient = new ApiClient(url, { address: '198.18.255.1' });
  let liveBytes = 0;

  const appendLive = async () => {
    const bytes = Buffer.concat(Array.from({ length: 3 }, () => pages.next().value ?? new Uint8Array()));
    await liveClient.append({ ...live, offsetBytes: liveBytes, bytes });
    liveBytes += bytes.length;
  };

  return async (seconds) => {
    const waits: number[] = [];
    let rejected = 0;
    const endMs = performance.now() + seconds * 1000;
    const repeat = async (startMs: number, append: () => Promise<unknown>) => {
      await delay(startMs);
      while (performance.now() < endMs) {
        const sentMs = performance.now();
        await append();
        await delay(Math.max(0, everyMs - (performance.now() - sentMs)));
      }
    };
    const appendTo = async (index: number) => {
      const one = open[index];
      if (!one) throw new RangeError(`no take ${index}`);
      const offsetBytes = offsets.get(index) ?? 0;
      const sentMs = performance.now();
      const { audioId: uploadId, token } = one.take;
      const { status } = await one.client.append({ uploadId, token, offsetBytes, bytes: piece });
      waits.push(performance.now() - sentMs);
      if (status === 204) offsets.set(index, offsetBytes + pieceBytes);
      else rejected += 1;
    };
    await Promise.all([
      repeat(0, appendLive),
      ...open.map((_, index) => repeat((index / takes) * everyMs, () => appendTo(index))),
    ]);
    return {
      appends: waits.length,
      rejected,
      p50Ms: round(percentile(waits, 0.5), 1),
      p99Ms: round(percentile(waits, 0.99), 0),
      mostMs: round(Math.max(...waits), 0),
    };
  };
});
