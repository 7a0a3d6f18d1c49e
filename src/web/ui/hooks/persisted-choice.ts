import type { WritableStore } from '#base/store.ts';
import { readText, writeText } from '#device/site-data/text-store.ts';

/**
 * How a choice is written where the browser keeps it; `parse` gets null where nothing is kept, and may throw
 * on what makes no sense.
 */
interface Form<T> {
  parse: (text: string | null) => T;
  print: (choice: T) => string;
}

/**
 * A choice that is kept on this device; where storage is refused it holds for this page. Read at the first
 * need.
 */
export function persistedChoice<T>(key: string, { parse, print }: Form<T>): WritableStore<T> {
  const listeners = new Set<() => void>();
  let chosen: { choice: T } | null = null;
  const read = (): T => {
    try {
      return parse(readText('localStorage', key));
    } catch {
      return parse(null);
    }
  };
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    getSnapshot: () => (chosen ??= { choice: read() }).choice,
    set(next) {
      chosen = { choice: next };
      // Where storage is refused, the choice holds for this page.
      writeText('localStorage', key, print(next));
      for (const listener of listeners) listener();
    },
  };
}
