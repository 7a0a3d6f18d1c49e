/**
 * Pages opened by links in emails or from administrators. The token is in the fragment, `/reset-password#<token>`,
 * so that it reaches no log and no referrer.
 */
export const linkPaths = { resetPassword: '/reset-password', undoEmailChange: '/undo-email-change' } as const;

/** The pattern of a link’s token: 256 random bits in base64url. */
export const linkToken = /^[\w-]{43}$/;

/**
 * A URL that bypasses the service worker, passes any sign-in in front of the server, and returns to the page in
 * `to`.
 */
export const returnAddress = '/auth/return';

export const returnUrlOf = (to: string): string => `${returnAddress}?to=${encodeURIComponent(to)}`;

/** The path of a listening page. */
const listeningPath = /^\/s\/[1-9A-HJ-NP-Za-km-z]{22}$/;

/** The sign-in page for listeners of a link that is only for users; it leads back to the link. */
export const signInUrlFor = (linkPath: string): string => `/sign-in?to=${encodeURIComponent(linkPath)}`;

/** The listening page to which a sign-in page leads back; null for every other address in `to`. */
export function listeningPathOf(signInUrl: string): string | null {
  const [, written = ''] = /[?&]to=([^&#]*)/.exec(signInUrl) ?? [];
  const path = written.replaceAll(/%2F/gi, '/');
  return listeningPath.test(path) ? path : null;
}
