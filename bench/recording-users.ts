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
