import { second } from '#base/duration.ts';

/** Longer than a working server takes to start responding, on any connection that is good enough for audio. */
const maxAnswerMs = 20 * second;

/**
 * Starts a read request and aborts it if no response has started after 20 seconds. A connection that a router or a
 * sleeping server has dropped stays open for minutes, and the page would never retry.
 * @throws TypeError as fetch does for every network failure
 */
export function withResponseTimeout(
  start: (signal: AbortSignal) => Promise<Response>,
  given?: AbortSignal | null,
): Promise<Response> {
  const limit = new AbortController();
  const timer = setTimeout(() => {
    limit.abort(new TypeError('late'));
  }, maxAnswerMs);
  return start(given ? AbortSignal.any([given, limit.signal]) : limit.signal).finally(() => {
    clearTimeout(timer);
  });
}
