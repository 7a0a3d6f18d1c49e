/**
 * The name of a cookie that is about a user. Cookies are per host, not per port, so the name includes the port:
 * two installations on one host have different users. Preferences (language, theme) may be shared.
 */
export const userCookieName = (name: string, port: string): string =>
  port === '' ? name : `${name}-${port}`;

/**
 * The value of a cookie that this page may read; null if it is not set or not valid percent-encoding. Any program
 * on another port of this host, or a page of a parent domain, may have set the cookie, so callers must validate
 * the value.
 * @param cookies the value of `document.cookie`
 */
export function cookieValue(cookies: string, name: string): string | null {
  const entry = cookies.split('; ').find((pair) => pair.startsWith(`${name}=`));
  if (entry === undefined) return null;
  try {
    return decodeURIComponent(entry.slice(name.length + 1));
  } catch {
    return null;
  }
}
