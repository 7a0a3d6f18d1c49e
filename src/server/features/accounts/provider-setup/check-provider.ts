import type { ClientAuth, Configuration, ServerMetadata } from 'openid-client';
import { z } from 'zod';
import type { ProviderCheck } from '#contract/providers-api.ts';
import type { ProviderDeps } from '../providers/provider.ts';
import { providerTimeoutMs } from '../providers/provider-network.ts';

interface ClientToCheck { clientAuth: ClientAuth; fetch: ProviderDeps['fetch']; redirectUri: string }

const longestDetail = 240;
const check = (name: ProviderCheck['check'], outcome: ProviderCheck['outcome'], detail: string | null = null): ProviderCheck =>
  ({ check: name, outcome, detail: detail?.slice(0, longestDetail) ?? null });

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown trouble';
  const inner = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error.message}${inner}`;
}

/** Facebook nests what the others put in plain text. */
const refusalSchema = z.object({ error: z.union([z.string(), z.object({ message: z.string() }).transform(({ message }) => message)]), error_description: z.string().optional() });

const wrongClient = /^(invalid_client|unauthorized_client|incorrect_client_credentials)$|client secret|application/i;
const wrongRedirect = /redirect_?uri/i;
/** The code we made up was looked at, so the client was known. */
const wrongCode = /^(invalid_grant|bad_verification_code)$|code/i;

function readRefusal(text: string): { error: string; words: string } | null {
  try {
    const { error, error_description: description } = refusalSchema.parse(JSON.parse(text));
    return { error, words: description === undefined ? error : `${error}: ${description}` };
  } catch {
    return null;
  }
}

function judge(text: string): ProviderCheck[] {
  const refusal = readRefusal(text);
  if (refusal === null) return [check('client', 'unknown', text), check('redirect', 'unknown')];
  if (wrongRedirect.test(refusal.words)) return [check('client', 'ok'), check('redirect', 'failed', refusal.words)];
  if (wrongClient.test(refusal.error)) return [check('client', 'failed', refusal.words), check('redirect', 'unknown')];
  if (wrongCode.test(refusal.error)) return [check('client', 'ok'), check('redirect', 'unknown')];
  return [check('client', 'unknown', refusal.words), check('redirect', 'unknown')];
}

/** Redeems a code that was made up: how that is refused tells whether our id and secret are right. */
async function checkClient(configuration: Configuration, client: ClientToCheck): Promise<ProviderCheck[]> {
  const server = configuration.serverMetadata();
  const body = new URLSearchParams({ grant_type: 'authorization_code', code: 'earshot-test', redirect_uri: client.redirectUri });
  const headers = new Headers({ accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' });
  client.clientAuth(server, configuration.clientMetadata(), body, headers);
  const init: RequestInit = { method: 'POST', body: body.toString(), headers, redirect: 'manual', signal: AbortSignal.timeout(providerTimeoutMs) };
  const response = await client.fetch(server.token_endpoint ?? '', init);
  return judge(await response.text());
}

async function checkKeys(server: ServerMetadata, fetch: ProviderDeps['fetch']): Promise<ProviderCheck> {
  try {
    const response = await fetch(server.jwks_uri ?? '', { signal: AbortSignal.timeout(providerTimeoutMs) });
    const { keys } = z.object({ keys: z.array(z.unknown()) }).parse(await response.json());
    return check('keys', keys.length > 0 ? 'ok' : 'failed');
  } catch (error) {
    return check('keys', 'failed', wordsOf(error));
  }
}

/** Asks an OAuth 2 provider all that can be asked without a person. */
export async function checkOauth2({ configuration, ...client }: ClientToCheck & { configuration: Configuration }): Promise<ProviderCheck[]> {
  try {
    return [check('reach', 'ok'), ...(await checkClient(configuration, client))];
  } catch (error) {
    return [check('reach', 'failed', wordsOf(error))];
  }
}

/** Asks an OpenID Connect provider all that can be asked without a person: discovery first, which also says whether it is who it should be. */
export async function checkOidc({ configuration, ...client }: ClientToCheck & { configuration: () => Promise<Configuration> }): Promise<ProviderCheck[]> {
  try {
    const found = await configuration();
    const keys = await checkKeys(found.serverMetadata(), client.fetch);
    const [, ...rest] = await checkOauth2({ configuration: found, ...client });
    return [check('reach', 'ok'), check('issuer', 'ok'), keys, ...rest];
  } catch (error) {
    const isOther = error instanceof Error && /issuer/.test(error.message);
    return isOther ? [check('reach', 'ok'), check('issuer', 'failed', wordsOf(error))] : [check('reach', 'failed', wordsOf(error))];
  }
}
