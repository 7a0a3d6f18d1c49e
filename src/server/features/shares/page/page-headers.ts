import type { ShareSettings } from '#contract/shares.ts';
import type { ListeningFiles } from './listening-files.ts';

interface PolicyOptions {
  files: ListeningFiles;
  formAction: "'self'" | "'none'";
  ancestors: string;
}

/** Only the script and the style sheet of the build run, by their hashes. */
function policyOf({ files, formAction, ancestors }: PolicyOptions): string {
  return [
    "default-src 'none'",
    `script-src ${files.scriptHash ?? "'none'"}`,
    `style-src ${files.styleHash ?? "'none'"}`,
    "img-src 'self' data:",
    "media-src 'self'",
    "connect-src 'self'",
    `form-action ${formAction}`,
    "base-uri 'none'",
    `frame-ancestors ${ancestors}`,
  ].join('; ');
}

const byLanguage = (tag: string) => ({
  'Content-Language': tag,
  'Cache-Control': 'no-store',
  Vary: 'Accept-Encoding, Accept-Language, Cookie',
});

/**
 * What a page of a link lets others learn of its address: other sites nothing. With `no-referrer` a form would send
 * `Origin: null` (Fetch, "append a request Origin header"), which Safari before 16.4 completes with no Fetch Metadata,
 * so the server could not know its own form.
 */
export const referrerPolicyOf = ({ hasForm }: { hasForm: boolean }): 'same-origin' | 'no-referrer' =>
  hasForm ? 'same-origin' : 'no-referrer';

/**
 * The headers of a page of a link. No other page may frame it.
 * @param options.hasForm whether a form of the page works without a script
 */
export const listeningPageHeaders = (
  files: ListeningFiles,
  { localeTag, hasForm }: { localeTag: string; hasForm: boolean },
): Record<string, string> => ({
  ...byLanguage(localeTag),
  'Referrer-Policy': referrerPolicyOf({ hasForm }),
  'Content-Security-Policy': policyOf({ files, formAction: "'self'", ancestors: "'none'" }),
  'Permissions-Policy': 'microphone=(), camera=(), geolocation=(), payment=(), usb=()',
});

/** `frame-ancestors` for the pages that a link may be embedded in. */
const ancestorsOf = (embed: ShareSettings['embed']): string =>
  embed === null ? "'none'" : embed === 'any' ? '*' : embed.join(' ');

/** The headers of the embedded player: it writes nothing, and only the chosen pages may frame it. */
export const embeddedPlayerHeaders = (
  files: ListeningFiles,
  { localeTag, embed }: { localeTag: string; embed: ShareSettings['embed'] },
): Record<string, string> => ({
  ...listeningPageHeaders(files, { localeTag, hasForm: false }),
  Vary: 'Accept-Encoding, Accept-Language',
  'Content-Security-Policy': policyOf({ files, formAction: "'none'", ancestors: ancestorsOf(embed) }),
  // A page with Cross-Origin-Embedder-Policy may frame only what allows it.
  'Cross-Origin-Resource-Policy': 'cross-origin',
});
