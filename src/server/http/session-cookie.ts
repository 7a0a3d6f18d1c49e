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

/** Returns the session cookie's name. */
export const sessionCookieName = (publicUrl: string): string => cookieName('sid', publicUrl);
