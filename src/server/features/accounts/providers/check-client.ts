import type { Configuration } from 'openid-client';
import type { ProviderCheck } from '#contract/providers-api.ts';
import type { ClientProof } from './client-proof.ts';
import {
  isCodeRejection,
  isPermanentRejection,
  isRedirectRejection,
  readRejection,
} from './token-rejection.ts';
import { tokenRequests } from './token-requests.ts';
import { check, ProviderError, type ProviderDeps } from './provider.ts';
import { providerTimeoutMs } from './provider-network.ts';

export interface ClientToCheck {
  proof: ClientProof;
  fetch: ProviderDeps['fetch'];
  redirectUri: string;
}

const unreadableAnswer = (response: Response): string =>
  `the token endpoint answered with status ${response.status} and no error that can be read`;

async function classify(response: Response): Promise<ProviderCheck[]> {
  const rejection = readRejection(await response.text());
  if (rejection === null) return [check('client', 'unknown', unreadableAnswer(response))];
  if (isRedirectRejection(rejection))
    return [check('client', 'ok'), check('redirect', 'failed', rejection.message)];
  if (isCodeRejection(rejection)) return [check('client', 'ok')];
  return [
    check(
      'client',
      isPermanentRejection(rejection.error) && rejection.error !== 'invalid_request' ? 'failed' : 'unknown',
      rejection.message,
    ),
  ];
}

/**
 * Redeems a made-up code. `invalid_grant` shows that the client id and secret are right, `invalid_client` that
 * they are not.
 */
export async function checkClient(
  configuration: Configuration,
  { proof, fetch, redirectUri }: ClientToCheck,
): Promise<ProviderCheck[]> {
  const server = configuration.serverMetadata();
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code: 'earshot-test',
    redirect_uri: redirectUri,
  });
  const headers = new Headers({
    accept: 'application/json',
    'content-type': 'application/x-www-form-urlencoded',
  });
  proof.clientAuth(server, configuration.clientMetadata(), form, headers);
  try {
    const init: RequestInit = {
      method: 'POST',
      body: form.toString(),
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(providerTimeoutMs),
    };
    return await classify(await tokenRequests(proof, fetch)(server.token_endpoint ?? '', init));
  } catch (error) {
    if (error instanceof ProviderError && error.reason === 'set-up')
      return [check('client', 'failed', error.message)];
    throw error;
  }
}
