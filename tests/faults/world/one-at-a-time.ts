let last: Promise<unknown> = Promise.resolve();

/**
 * Runs starts of servers and browsers one after another. Each uses all processors, and several at once would delay
 * running takes.
 */
export function oneAtATime<T>(start: () => Promise<T>): Promise<T> {
  const turn = last.then(start);
  last = turn.catch(() => undefined);
  return turn;
}
