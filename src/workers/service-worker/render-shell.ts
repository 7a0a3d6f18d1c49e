import { renderShell, type ShellOptions } from '#contract/page-pictures.ts';

export interface StoredShellOptions extends ShellOptions {
  /** A fresh one for each page (CSP 3 §7.1). */
  nonce: string;
}

const policyHeader = 'content-security-policy';
/** They speak of the bytes as they once came over the wire. */
const wireHeaders = ['content-encoding', 'content-length', 'etag', 'last-modified', 'date'];

/**
 * The kept page as the server would have written it now: language, direction, theme and a nonce of its own.
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
