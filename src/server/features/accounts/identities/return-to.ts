const base = 'https://here.invalid';

/**
 * A path on this server to go on at after a sign-in; `/` for whatever could lead elsewhere (abuse: `//evil`,
 * `/\evil`, `https:evil`).
 */
export function safeReturnTo(path: string | undefined): string {
  if (path === undefined || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(path)) return '/';
  const url = URL.parse(path, base);
  // Dots and escapes can make a second slash only now.
  if (
    url === null ||
    url.origin !== base ||
    url.pathname.startsWith('//') ||
    /^\/(%2f|%5c)/i.test(url.pathname)
  )
    return '/';
  return `${url.pathname}${url.search}${url.hash}`;
}
