/**
 * The session cookie's name. `__Host-Http-` makes a browser refuse the cookie unless it is Secure, HttpOnly, of this very host and of
 * path `/` (RFC 6265bis); plain http, allowed on loopback only, cannot carry Secure everywhere and has to do without.
 * @param publicUrl the address people use, as configured
 */
export function sessionCookieName(publicUrl: string): string {
  return publicUrl.startsWith('https:') ? '__Host-Http-sid' : 'sid';
}
