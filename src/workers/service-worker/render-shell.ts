import { renderShell, type ShellOptions } from '#contract/page-pictures.ts';

export interface StoredShellOptions extends ShellOptions {
  /** A fresh nonce for each page (CSP 3 §7.1). */
  nonce: string;
}

const policyHeader = 'content-security-policy';
/** Headers that describe the response body as it was transferred. */
const wireHeaders = ['content-encoding', 'content-length', 'etag', 'last-modified', 'date'];

/**
 * Renders the cached page as the server would now, with the current language, direction and theme and a new nonce.
 */
export async function renderStoredShell(
  stored: Response,
  { nonce, ...options }: StoredShellOptions,
): Promise<Response> {
  const policy = stored.headers.get(policyHeader) ?? '';
  const storedNonce = /'nonce-([^']+)'/.exec(policy)?.[1];
  const renew = (text: string) => (storedNonce === undefined ? text : text.replaceAll(storedNonce, nonce));
  const html = renderShell(renew(await stored.text()), options);
  const headers = new Headers(stored.headers);
  for (const name of wireHeaders) headers.delete(name);
  headers.set(policyHeader, renew(policy));
  return new Response(html, { headers });
}
