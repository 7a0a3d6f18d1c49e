import { second } from '#base/duration.ts';

/** Longer than any answer of a server that works begins to take, on any line that carries sound. */
const longestAnswerMs = 20 * second;

/**
 * Starts a request that only reads, and gives it up when no answer has begun after 20 seconds: a line that a
 * router or a sleeping server has forgotten stays open for minutes, and the page would never ask again.
 * @throws TypeError as fetch does for every failure of the network
 */
export function withResponseTimeout(
  start: (signal: AbortSignal) => Promise<Response>,
  given?: AbortSignal | null,
): Promise<Response> {
  const limit = new AbortController();
  const timer = setTimeout(() => {
    limit.abort(new TypeError('late'));
  }, longestAnswerMs);
  return start(given ? AbortSignal.any([given, limit.signal]) : limit.signal).finally(() => {
    clearTimeout(timer);
  });
}
