import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Outgoing connections take their ports from 32768 on (Linux): what is below stays free until a server of ours takes it, and while that is started again. */
const lowest = 20_000;
const highest = 32_000;

const isFree = (port: number): Promise<boolean> => new Promise((resolve) => {
  const probe = createServer();
  probe.once('error', () => { resolve(false); });
  probe.listen(port, '127.0.0.1', () => probe.close(() => { resolve(true); }));
});

/** A port of this machine that nobody listens on. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, highest);
    if (await isFree(port)) return port;
  }
}
