/**
 * The name of a cookie that is about a person. A cookie belongs to a host and not to a port, so the port is
 * part of the name: two installations on one host have different people. What a reader prefers (language,
 * theme) may be shared.
 */
export const userCookieName = (name: string, port: string): string =>
  port === '' ? name : `${name}-${port}`;

/**
 * The value of a cookie that this page may read; null where there is none or its text is not valid
 * percent-encoding. Any program on another port of this host, or a page of a parent domain, may have set a
 * cookie of that name: callers check the value.
 * @param cookies as `document.cookie` has them
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
