/**
 * The value of a cookie that this page may read; null where there is none or its text is not valid percent-encoding. Any program on another
 * port of this host, or a page of a parent domain, may have set a cookie of that name: callers check the value.
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
