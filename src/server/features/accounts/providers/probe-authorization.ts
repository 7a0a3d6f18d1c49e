import type { ProviderCheck } from '#contract/providers-api.ts';
import { isRedirectRejection } from './token-rejection.ts';
import { check, type ProviderDeps } from './provider.ts';
import { providerTimeoutMs } from './provider-network.ts';

/** The text of an HTML page. */
const textOf = (page: string): string =>
  page
    .replaceAll(/<(style|script)[\s\S]*?<\/\1>/gi, ' ')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

const aboutOtherCheck: Record<string, ProviderCheck['check']> = {
  invalid_scope: 'scopes',
  unauthorized_client: 'client',
  invalid_client: 'client',
  unsupported_response_type: 'flow',
  unsupported_response_mode: 'flow',
};

/**
 * A redirect to our callback proves that the provider accepts the redirect URI, even if its error is about
 * something else.
 */
function classifyReturn(target: URL): ProviderCheck[] {
  const error = target.searchParams.get('error') ?? '';
  const other = aboutOtherCheck[error];
  const message = [error, target.searchParams.get('error_description')].filter(Boolean).join(': ');
  return [check('redirect', 'ok'), ...(other === undefined ? [] : [check(other, 'failed', message)])];
}

async function classify(response: Response, url: URL, redirectUri: string): Promise<ProviderCheck[]> {
  const location = response.headers.get('location');
  const target = location === null ? null : URL.parse(location, url.href);
  if (target)
    return target.href.split('?', 1)[0] === redirectUri
      ? classifyReturn(target)
      : [check('redirect', 'unknown', `the provider leads on to ${target.origin}${target.pathname}`)];
  const message = textOf(await response.text());
  const isRejected = response.status >= 400 && response.status < 500;
  if (isRejected && isRedirectRejection({ error: '', message }))
    return [check('redirect', 'failed', message)];
  return [
    check(
      'redirect',
      'unknown',
      isRejected
        ? `the provider answered with status ${response.status}: ${message}`
        : 'the provider shows its sign-in page first',
    ),
  ];
}

/**
 * Sends a request with `prompt=none` and without cookies to the authorization endpoint. A provider that follows
 * OpenID Connect Core §3.1.2.6 redirects back with `login_required`, which shows that it accepts the client,
 * redirect URI, response type and scopes.
 */
export async function probeAuthorization(
  url: URL,
  { fetch, redirectUri }: { fetch: ProviderDeps['fetch']; redirectUri: string },
): Promise<ProviderCheck[]> {
  url.searchParams.set('prompt', 'none');
  try {
    const response = await fetch(url.href, {
      redirect: 'manual',
      headers: { accept: 'text/html' },
      signal: AbortSignal.timeout(providerTimeoutMs),
    });
    return await classify(response, url, redirectUri);
  } catch {
    return [check('redirect', 'unknown', 'the authorization endpoint did not answer')];
  }
}
