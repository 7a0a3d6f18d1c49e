import type { Queries } from '#server/storage/database/database.ts';
import type { OauthFlowRow } from '#server/storage/database/schema.ts';
import { hashOf } from '#server/storage/hash-of.ts';
import { createHmac, randomBytes } from 'node:crypto';
import type { FlowSecrets } from '#server/features/accounts/providers/provider.ts';

/**
 * The state, and what follows from it and the browser's secret name in its cookie (HMAC-SHA-256): PKCE
 * verifier and nonce are stored nowhere, and a copy of the database holds nothing that could end a sign-in in
 * a browser's place.
 */
export function flowSecretsOf(browser: string, state: string): FlowSecrets {
  const derived = (use: string): string =>
    createHmac('sha256', browser).update(`provider ${use} ${state}`).digest('base64url');
  return { state, nonce: derived('nonce'), codeVerifier: derived('pkce') };
}

/** 256 random bits, after a letter by which the callback page knows whether it is a pop-up. */
export const newState = (display: 'popup' | 'redirect'): string =>
  `${display === 'popup' ? 'p' : 'r'}${randomBytes(32).toString('base64url')}`;

export const isState = (text: string | undefined): text is string =>
  text !== undefined && /^[pr][\w-]{43}$/.test(text);

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
