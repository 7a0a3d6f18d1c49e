import type { Queries } from '#server/storage/database/database.ts';
import type { OauthFlowRow } from '#server/storage/database/schema.ts';
import { hashOf } from '#server/storage/hash-of.ts';
import { createHmac, randomBytes } from 'node:crypto';
import type { FlowSecrets } from '#server/features/accounts/providers/provider.ts';

/**
 * Derives the PKCE verifier and the nonce from the state and the browser's flow cookie (HMAC-SHA-256). They are
 * stored nowhere, so a copy of the database is not sufficient to complete a sign-in in another browser.
 */
export function flowSecretsOf(browser: string, state: string): FlowSecrets {
  const derived = (use: string): string =>
    createHmac('sha256', browser).update(`provider ${use} ${state}`).digest('base64url');
  return { state, nonce: derived('nonce'), codeVerifier: derived('pkce') };
}

/** How the page that starts a flow shows the provider. `test` is the pop-up of a test sign-in. */
export type FlowDisplay = 'popup' | 'redirect' | 'test';

const displayLetters: Record<FlowDisplay, string> = { popup: 'p', redirect: 'r', test: 't' };

/** 256 random bits, prefixed with a letter that tells the callback page where the response is expected. */
export const newState = (display: FlowDisplay): string =>
  `${displayLetters[display]}${randomBytes(32).toString('base64url')}`;

export const isState = (text: string | undefined): text is string =>
  text !== undefined && /^[prt][\w-]{43}$/.test(text);

async function forgetExpired(queries: Queries, nowMs: number): Promise<void> {
  await queries.deleteFrom('oauth_flows').where('expires_at', '<=', nowMs).execute();
}

/** Stores a flow and deletes expired ones. */
export async function insertFlow(queries: Queries, flow: OauthFlowRow): Promise<void> {
  await forgetExpired(queries, flow.created_at);
  await queries.insertInto('oauth_flows').values(flow).execute();
}

type FlowIntent = OauthFlowRow['intent'];

/** A flow with one of these intents. */
export type FlowOf<Intent extends FlowIntent> = OauthFlowRow & { intent: Intent };

/** A response belongs to a flow only if all of these match. */
export interface FlowKey<Intent extends FlowIntent> {
  state: string;
  browser: string;
  provider: string;
  /** A test sign-in can't be finished as a sign-in, and the reverse. */
  intents: readonly Intent[];
  nowMs: number;
}

/**
 * Consumes a flow in one statement, so that only one of concurrent responses gets it. Returns null if no flow
 * matches.
 */
export async function consumeFlow<Intent extends FlowIntent>(
  queries: Queries,
  { state, browser, provider, intents, nowMs }: FlowKey<Intent>,
): Promise<FlowOf<Intent> | null> {
  const flow = await queries
    .deleteFrom('oauth_flows')
    .where('state_hash', '=', hashOf(state))
    .where('browser_hash', '=', hashOf(browser))
    .where('provider', '=', provider)
    .where('intent', 'in', intents)
    .where('expires_at', '>', nowMs)
    .returningAll()
    .executeTakeFirst();
  const isOfIntents = (row: OauthFlowRow): row is FlowOf<Intent> =>
    intents.some((intent) => intent === row.intent);
  return flow && isOfIntents(flow) ? flow : null;
}

/** Whether an unexpired flow with this state exists, in any browser. */
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
