import { get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { overviewBytes } from '#listen/bars.ts';
import { ApiClient, type Reply } from '#tests/support/api-client.ts';
import { percentile, round } from './figures.ts';
import { serveLoad } from './load-process.ts';

export interface ListenersOptions {
  url: string;
  /** The paths of links: `/s/<token>`. Listeners are spread evenly over them. */
  finished: { path: string; sizeBytes: number };
  live: { path: string };
  listeners: number;
}

export interface ListenersResult {
  reads: number;
  failed: number;
  events: number;
  p50Ms: number;
  p99Ms: number;
}

/** A player of speech at 128 kbit/s needs this much in four seconds, and one that catches up reads no more at once. */
const readBytes = 64 * 1024;
const readEveryMs = 4000;
/** So many reads, one is a jump. */
const jumpEvery = 10;
const peaksEveryMs = 5000;

/** Follows a link as the page does, until the signal. */
function follow(
  url: string,
  { address, signal, onGrowth }: { address: string; signal: AbortSignal; onGrowth: (ms: number) => void },
): void {
  const outgoing = get(url, { headers: { 'x-forwarded-for': address }, agent: false, signal }, (incoming) => {
    let text = '';
    incoming.setEncoding('utf8').on('data', (piece: string) => {
      text = (text + piece).slice(-4096);
      const grown = [...text.matchAll(/"durationMs":(\d+)/g)].at(-1)?.[1];
      if (grown !== undefined) onGrowth(Number(grown));
    });
    incoming.on('error', () => undefined);
  });
  outgoing.on('error', () => undefined);
}

await serveLoad<ListenersOptions, ListenersResult>(async ({ url, finished, live, listeners }) => {
  const seats = Array.from({ length: listeners }, (_, index) => {
    const address = `198.19.${Math.floor(index / 250)}.${1 + (index % 250)}`;
    return { address, client: new ApiClient(url, { address }), isLive: index % 2 === 1 };
  });

  return async (seconds) => {
    const waits: number[] = [];
    const end = AbortSignal.timeout(seconds * 1000);
    let [failed, events] = [0, 0];
    const read = async (client: ApiClient, path: string, range?: string): Promise<Reply> => {
      const sentMs = performance.now();
      const reply = await client.send({ method: 'GET', path, headers: range ? { range } : {} });
      waits.push(performance.now() - sentMs);
      if (reply.status >= 300) failed += 1;
      return reply;
    };

    const playFinished = async (client: ApiClient) => {
      const { path, sizeBytes } = finished;
      await read(client, `${path}/audio`, `bytes=${sizeBytes - readBytes}-`);
      for (let nth = 0, atByte = 0; !end.aborted; nth += 1, atByte += readBytes) {
        if (nth % jumpEvery === 0) atByte = Math.floor(Math.random() * (sizeBytes - readBytes));
        if (atByte >= sizeBytes - readBytes) atByte = 0;
        await read(client, `${path}/audio`, `bytes=${atByte}-${atByte + readBytes - 1}`);
        await delay(readEveryMs, undefined, { signal: end }).catch(() => undefined);
      }
    };

    const playLive = async (client: ApiClient, lengthMs: () => number) => {
      let peaksMs = performance.now();
      while (!end.aborted) {
        const { path } = live;
        await read(client, `${path}/audio?until=${lengthMs()}`, 'bytes=0-');
        if (performance.now() - peaksMs > peaksEveryMs) {
          await read(client, `${path}/peaks`, `bytes=0-${overviewBytes - 1}`);
          peaksMs = performance.now();
        }
        await delay(readEveryMs, undefined, { signal: end }).catch(() => undefined);
      }
    };

    await Promise.all(
      seats.map(async ({ client, address, isLive }, index) => {
        await delay((index / listeners) * readEveryMs);
        const { path } = isLive ? live : finished;
        await read(client, path);
        await read(client, `${path}/peaks`, `bytes=0-${overviewBytes - 1}`);
        let lengthMs = 1000;
        const onGrowth = (ms: number) => {
          lengthMs = ms;
          events += 1;
        };
        follow(`${url}${path}/events`, { address, signal: end, onGrowth });
        await (isLive ? playLive(client, () => lengthMs) : playFinished(client));
      }),
    );
    return {
      reads: waits.length,
      failed,
      events,
      p50Ms: round(percentile(waits, 0.5), 1),
      p99Ms: round(percentile(waits, 0.99), 0),
    };
  };
});
