import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { OpusStreamWriter } from '#audio/ogg/opus-stream-writer.ts';
import { ApiClient } from '#tests/support/api-client.ts';
import { percentile, round } from './figures.ts';
import { serveLoad } from './load-process.ts';
import { openTakes, type UserTake } from './recording-users.ts';
import { asSound } from '#tests/support/sound-bytes.ts';

export interface TakesOptions {
  url: string;
  takes: number;
  everyMs: number;
  /** A take whose sound can be played, which grows in real time. */
  live?: { uploadId: string; token: string };
  /** How often each take appends its peaks; never if it is left out. */
  peaksEveryMs?: number;
}

export interface TakesResult {
  appends: number;
  rejected: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
  /** CPU time of this process, in milliseconds. */
  cpuMs: number;
}

/** As many bytes as half a second of speech at 48 kbit/s. */
const pieceBytes = 3000;
/** About as many as the peaks of 2.5 s. */
const peaksBytes = 250;

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

await serveLoad<TakesOptions, TakesResult>(async ({ url, takes, everyMs, live, peaksEveryMs }) => {
  const open = await openTakes(url, takes);
  const offsets = new Map<string, number>();
  const [piece, peaks] = [asSound(randomBytes(pieceBytes)), randomBytes(peaksBytes)];
  const pages = livePages();
  const liveClient = new ApiClient(url, { address: '198.18.255.1' });
  let liveBytes = 0;

  const appendLive = async (upload: { uploadId: string; token: string }) => {
    const bytes = Buffer.concat(Array.from({ length: 3 }, () => pages.next().value ?? new Uint8Array()));
    await liveClient.append({ ...upload, offsetBytes: liveBytes, bytes });
    liveBytes += bytes.length;
  };

  return async (seconds) => {
    const waits: number[] = [];
    let rejected = 0;
    const endMs = performance.now() + seconds * 1000;
    const cpuBefore = process.cpuUsage();
    /** Repeats an append, spread over the interval by the share of the takes before it. */
    const repeat = async (share: number, intervalMs: number, append: () => Promise<unknown>) => {
      await delay(share * intervalMs);
      while (performance.now() < endMs) {
        const sentMs = performance.now();
        await append();
        await delay(Math.max(0, intervalMs - (performance.now() - sentMs)));
      }
    };
    const appendTo = async ({ client, take }: UserTake, uploadId: string, bytes: Uint8Array) => {
      const offsetBytes = offsets.get(uploadId) ?? 0;
      const sentMs = performance.now();
      const { status } = await client.append({ uploadId, token: take.token, offsetBytes, bytes });
      waits.push(performance.now() - sentMs);
      if (status === 204) offsets.set(uploadId, offsetBytes + bytes.length);
      else rejected += 1;
    };
    await Promise.all([
      ...(live === undefined ? [] : [repeat(0, everyMs, () => appendLive(live))]),
      ...open.map((one, index) =>
        repeat(index / takes, everyMs, () => appendTo(one, one.take.audioId, piece)),
      ),
      ...(peaksEveryMs === undefined
        ? []
        : open.map((one, index) =>
            repeat(index / takes, peaksEveryMs, () => appendTo(one, one.take.peaksId, peaks)),
          )),
    ]);
    const { user, system } = process.cpuUsage(cpuBefore);
    return {
      appends: waits.length,
      rejected,
      p50Ms: round(percentile(waits, 0.5), 1),
      p99Ms: round(percentile(waits, 0.99), 0),
      maxMs: round(
        waits.reduce((max, each) => Math.max(max, each), 0),
        0,
      ),
      cpuMs: (user + system) / 1000,
    };
  };
});
