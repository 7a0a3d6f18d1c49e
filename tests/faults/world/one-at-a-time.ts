let last: Promise<unknown> = Promise.resolve();

/**
 * Starts of servers and browsers take the processors whole: they queue, so that takes which run beside them
 * are not held up by several at once.
 */
export function oneAtATime<T>(start: () => Promise<T>): Promise<T> {
  const turn = last.then(start);
  last = turn.catch(() => undefined);
  return turn;
}
