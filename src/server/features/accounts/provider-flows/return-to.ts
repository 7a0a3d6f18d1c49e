const base = 'https://here.invalid';

/** A path on this server to go on at after a sign-in; `/` for whatever could lead elsewhere (abuse: `//evil`, `/\evil`, `https:evil`). */
export function safeReturnTo(wish: string | undefined): string {
  if (wish === undefined || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(wish)) return '/';
  const url = URL.parse(wish, base);
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
