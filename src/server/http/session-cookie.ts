/**
 * The name of a cookie that only the server reads. `__Host-Http-` makes a browser refuse the cookie unless it
 * is Secure, HttpOnly, of this very host and of path `/` (RFC 6265bis); plain http, allowed on loopback only,
 * cannot carry Secure everywhere and has to do without. A cookie belongs to a host and not to a port (RFC
 * 6265 §8.5), so the port is part of the name: two installations on one host would sign each other's users
 * out.
 * @param publicUrl the address people use, as configured
 */
export function cookieName(name: string, publicUrl: string): string {
  const { protocol, port } = new URL(publicUrl);
  return `${protocol === 'https:' ? '__Host-Http-' : ''}${name}${port === '' ? '' : `-${port}`}`;
}

/** The session cookie's name. */
export const sessionCookieName = (publicUrl: string): string => cookieName('sid', publicUrl);
