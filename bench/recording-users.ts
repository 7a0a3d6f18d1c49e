import { setTimeout as delay } from 'node:timers/promises';
import { serverLimits } from '#contract/server-limits.ts';
import { ApiClient, startTake, type OpenTake } from '#tests/support/api-client.ts';

/** Configures the server for benches with many users, so that each user has a separate client address. */
export const manyUsers = { TRUSTED_PROXY_HOPS: '1' };

export interface UserTake {
  client: ApiClient;
  take: OpenTake;
}

/**
 * Opens `count` takes on a server launched with `manyUsers`, with as many users as the limit of unfinished takes
 * requires.
 */
export async function openTakes(url: string, count: number): Promise<UserTake[]> {
  const open: UserTake[] = [];
  let client: ApiClient | null = null;
  while (open.length < count) {
    if (client === null || open.length % serverLimits.takesInProgress === 0) {
      const user = open.length / serverLimits.takesInProgress;
      client = new ApiClient(url, { address: `198.18.${Math.floor(user / 250)}.${1 + (user % 250)}` });
      await client.signUp();
    }
    open.push({ client, take: await startTake(client) });
  }
  return open;
}

export function closeAll(open: readonly UserTake[]): void {
  for (const client of new Set(open.map((one) => one.client))) client.close();
}

/** A running take, and how much of it the server has. */
export interface RecordingTake extends UserTake {
  offsetBytes: number;
}

/**
 * Appends a piece to every take at equal intervals, the takes evenly spread, for as long as `goesOn` says. Returns how
 * long each append took, in milliseconds, and how many were rejected.
 */
export async function appendToAll(
  open: readonly RecordingTake[],
  { piece, everyMs, goesOn }: { piece: Buffer; everyMs: number; goesOn: (nth: number) => boolean },
): Promise<{ waitsMs: number[]; rejected: number }> {
  const waitsMs: number[] = [];
  let rejected = 0;
  await Promise.all(
    open.map(async (one, index) => {
      await delay((index / open.length) * everyMs);
      for (let nth = 0; goesOn(nth); nth += 1) {
        const sentAtMs = performance.now();
        const reply = await one.client.append({
          uploadId: one.take.audioId,
          token: one.take.token,
          offsetBytes: one.offsetBytes,
          bytes: piece,
        });
        waitsMs.push(performance.now() - sentAtMs);
        if (reply.status === 204) one.offsetBytes += piece.length;
        else rejected += 1;
        await delay(Math.max(0, everyMs - (performance.now() - sentAtMs)));
      }
    }),
  );
  return { waitsMs, rejected };
}
