const always = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  // Allows a provider's sign-in pop-up, but no access by a page that opened us.
  'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'microphone=(self), camera=(), geolocation=(), payment=(), usb=()',
} as const;

const closedPolicy =
  "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox";

/**
 * Returns the headers of every response. A response that is not a page gets a policy under which nothing can run.
 * @param options.https adds HSTS (RFC 6797) for one year
 */
export function securityHeaders(options: { https: boolean }): Record<string, string> {
  return {
    ...always,
    // Routes whose responses may be cached override this.
    'Cache-Control': 'no-store',
    'Content-Security-Policy': closedPolicy,
    ...(options.https ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}),
  };
}

/**
 * The additional headers of every response below a shared recording's address, which is a credential: no index may
 * store it (`X-Robots-Tag` instead of robots.txt, which would hide the header), and no link may pass it on.
 */
export const sharedHeaders = {
  'X-Robots-Tag': 'noindex, nofollow, noarchive, nosnippet',
  'Referrer-Policy': 'no-referrer',
} as const;

/**
 * The policy of an HTML page: everything from our origin, styles also with this response's nonce, and no inline
 * script.
 */
export function pagePolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "media-src 'self' blob:",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "object-src 'none'",
  ].join('; ');
}

/**
 * The policy of audio that a browser may also open as a document of its own, with its own player. `sandbox` would
 * give that document an opaque origin, which may not load it.
 */
export const mediaPolicy =
  "default-src 'none'; media-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/**
 * The policy of a file of the web app. A worker runs under the policy of its script's response: it may load
 * modules and call this server. `sandbox` would give it an opaque origin, without locks, storage or codecs.
 */
export const filePolicy =
  "default-src 'none'; script-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
