import type { WritableStore } from '#base/store.ts';
import { readText, writeText } from '#device/site-data/text-store.ts';

/** The text format of a stored choice. `parse` gets null if nothing is stored, and may throw for invalid text. */
interface Form<T> {
  parse: (text: string | null) => T;
  print: (choice: T) => string;
}

/**
 * A choice that is stored on this device, and read on first use. If storage is unavailable, it holds for this
 * page.
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
      // If storage is unavailable, the choice holds for this page.
      writeText('localStorage', key, print(next));
      for (const listener of listeners) listener();
    },
  };
}
