import { BoundedMap } from '#base/bounded-map.ts';
import type { Clock } from '#base/clock.ts';

/**
 * Returns a function that makes the value of a key, and gives simultaneous and later callers the same one. A value
 * that could not be made is made again for the next caller.
 * @param options.forMs how long a value is given out, in milliseconds from when its making started
 * @param options.max how many values are stored; the least recently used one makes place
 */
export function sharedForAWhile<Value>({
  clock,
  forMs,
  max,
}: {
  clock: Clock;
  forMs: number;
  max: number;
}): (key: string, make: () => Promise<Value>) => Promise<Value> {
  const entries = new BoundedMap<string, { value: Promise<Value>; madeAtMs: number }>(max);
  return (key, make) => {
    const known = entries.get(key);
    if (known !== undefined && clock.nowMs() - known.madeAtMs < forMs) return known.value;
    const made = { value: make(), madeAtMs: clock.nowMs() };
    entries.set(key, made);
    made.value.catch(() => {
      if (entries.get(key) === made) entries.delete(key);
    });
    return made.value;
  };
}
