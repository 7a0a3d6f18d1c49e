import { isLoopback } from './http/edge/loopback.ts';

/** Checks the address of a server that this one calls. */
export function serviceUrlMistake(text: string): string | null {
  const url = URL.parse(text);
  if (!url || !['http:', 'https:'].includes(url.protocol))
    return 'must be an address that begins with https://';
  if (url.protocol !== 'https:' && !isLoopback(url))
    return 'must begin with https:// unless it is on this machine';
  return url.username || url.password || url.search || url.hash
    ? 'must be an address without a user, a query and a #'
    : null;
}
