import { renderShell, type ShellOptions } from '#contract/page-pictures.ts';

export interface ShellLook extends ShellOptions {
  /** A fresh one for each page (CSP 3 §7.1). */
  nonce: string;
}

const policyHeader = 'content-security-policy';
/** They speak of the bytes as they once came over the wire. */
const wireHeaders = ['content-encoding', 'content-length', 'etag', 'last-modified', 'date'];

/**
 * The kept page as the server would have written it now: language, direction, theme and a nonce of its own.
 */
export async function dressShell(kept: Response, { nonce, ...dress }: ShellLook): Promise<Response> {
  const policy = kept.headers.get(policyHeader) ?? '';
  const keptNonce = /'nonce-([^']+)'/.exec(policy)?.[1];
  const renew = (text: string) => (keptNonce === undefined ? text : text.replaceAll(keptNonce, nonce));
  const html = renderShell(renew(await kept.text()), dress);
  const headers = new Headers(kept.headers);
  for (const name of wireHeaders) headers.delete(name);
  headers.set(policyHeader, renew(policy));
  return new Response(html, { headers });
}
