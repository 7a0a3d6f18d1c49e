const shareCookiePrefix = 'sh-';

/**
 * Returns the name of a cookie that only the server reads. `__Host-Http-` makes browsers reject the cookie unless
 * it is Secure, HttpOnly, for this exact host and for path `/` (RFC 6265bis). Plain http, which is allowed on
 * loopback only, cannot use Secure everywhere and omits the prefix. Cookies are scoped to a host but not to a port
 * (RFC 6265 §8.5), so the name includes the port: otherwise two installations on one host would sign out each
 * other's users.
 * @param publicUrl the configured public address
 */
export function cookieName(name: string, publicUrl: string): string {
  const { protocol, port } = new URL(publicUrl);
  return `${protocol === 'https:' ? '__Host-Http-' : ''}${name}${port === '' ? '' : `-${port}`}`;
}

/**
 * Returns the name of the cookie of a visit to a share with a password. Each share has its own, so that two open
 * shares do not end each other's visits.
 * @param tokenHash SHA-256 of the share's token, in hex
 */
export const shareCookieName = (tokenHash: string, publicUrl: string): string =>
  cookieName(`${shareCookiePrefix}${tokenHash.slice(0, 8)}`, publicUrl);

/** Returns whether a cookie is that of a visit to any share of this installation. */
export function isShareCookie(name: string, publicUrl: string): boolean {
  const [before = '', after = ''] = cookieName(`${shareCookiePrefix}*`, publicUrl).split('*');
  return name.startsWith(before) && name.endsWith(after);
}

/** Returns the session cookie's name. */
export const sessionCookieName = (publicUrl: string): string => cookieName('sid', publicUrl);
