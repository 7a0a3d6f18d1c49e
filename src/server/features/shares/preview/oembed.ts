import { escapeHtml } from '#base/escape-html.ts';
import { embedCode } from '#contract/embed-code.ts';
import { shareToken } from '#contract/shares.ts';

const cacheAgeSeconds = 300;

/**
 * Returns the token of an address of ours: `<origin>/s/<token>`, with any query and fragment. Null for every other
 * address, however it is written.
 * @param origins the origins under which links are served
 */
export function tokenOfAddress(address: string, origins: readonly string[]): string | null {
  const url = URL.parse(address);
  if (url === null || !origins.includes(url.origin) || url.username !== '' || url.password !== '')
    return null;
  const [, folder, token = '', ...rest] = url.pathname.split('/');
  return folder === 's' && rest.length === 0 && shareToken.test(token) ? token : null;
}

export interface OembedOptions {
  /** The origin of links, and the token of one that may be embedded. */
  shareOrigin: string;
  token: string;
  /** Null if the link allows no preview, because clients store the answer. */
  title: string | null;
  author: string | null;
  maxWidth: number | undefined;
  maxHeight: number | undefined;
}

/** The answer of an oEmbed provider of type `rich` (oembed.com, 2.3.4.4), as values by name. */
export function oembedOf({
  shareOrigin,
  token,
  title,
  author,
  maxWidth,
  maxHeight,
}: OembedOptions): Record<string, string | number> {
  const { html, width, height } = embedCode(`${shareOrigin}/s/${token}`, { title, maxWidth, maxHeight });
  return {
    version: '1.0',
    type: 'rich',
    provider_name: 'Earshot',
    provider_url: shareOrigin,
    ...(title === null ? {} : { title }),
    ...(author === null ? {} : { author_name: author }),
    cache_age: cacheAgeSeconds,
    width,
    height,
    html,
  };
}

/** The same answer as XML (oembed.com, 2.3.4). */
export const oembedXml = (answer: Record<string, string | number>): string =>
  `<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n<oembed>${Object.entries(answer)
    .map(([name, value]) => `<${name}>${escapeHtml(String(value))}</${name}>`)
    .join('')}</oembed>\n`;
