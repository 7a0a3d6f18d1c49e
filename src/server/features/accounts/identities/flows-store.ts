import type { Queries } from '#server/storage/database/database.ts';
import type { OauthFlowRow } from '#server/storage/database/schema.ts';
import { hashOf } from '#server/storage/hash-of.ts';

async function forgetExpired(queries: Queries, nowMs: number): Promise<void> {
  await queries.deleteFrom('oauth_flows').where('expires_at', '<=', nowMs).execute();
}

/** Stores a sign-in on its way, and forgets those that came to nothing. */
export async function insertFlow(queries: Queries, flow: OauthFlowRow): Promise<void> {
  await forgetExpired(queries, flow.created_at);
  await queries.insertInto('oauth_flows').values(flow).execute();
}

/** What has to fit for an answer to belong to a flow. */
export interface FlowKey {
  state: string;
  browser: string;
  provider: string;
  nowMs: number;
}

/**
 * Takes a flow out of the table, in one statement: of answers that arrive together, only one gets it. Null
 * where nothing fits.
 */
export async function consumeFlow(queries: Queries, key: FlowKey): Promise<OauthFlowRow | null> {
  const flow = await queries
    .deleteFrom('oauth_flows')
    .where('state_hash', '=', hashOf(key.state))
    .where('browser_hash', '=', hashOf(key.browser))
    .where('provider', '=', key.provider)
    .where('expires_at', '>', key.nowMs)
    .returningAll()
    .executeTakeFirst();
  return flow ?? null;
}

/** Whether a flow with this state is on its way, in whichever browser. */
export async function isFlowPending(queries: Queries, state: string, nowMs: number): Promise<boolean> {
  await forgetExpired(queries, nowMs);
  return (
    (await queries
      .selectFrom('oauth_flows')
      .select('state_hash')
      .where('state_hash', '=', hashOf(state))
      .executeTakeFirst()) !== undefined
  );
}
