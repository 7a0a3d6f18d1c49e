/**
 * The browser's small stores, for optional text. A browser that blocks site data throws `SecurityError` from the
 * getter `localStorage` itself, so feature detection does not work: each function uses the store and handles the
 * error.
 */
export type StoreName = 'localStorage' | 'sessionStorage';

/** The part of `Storage` that is used here. Workers don't have `Storage`. */
interface TextStore {
  getItem: (key: string) => string | null;
  setItem: (key: string, text: string) => void;
  removeItem: (key: string) => void;
}

function storeOf(name: StoreName): TextStore {
  const store: TextStore = Reflect.get(globalThis, name);
  return store;
}

/** The stored text; null if it is not set or the store is blocked. */
export function readText(store: StoreName, key: string): string | null {
  try {
    return storeOf(store).getItem(key);
  } catch {
    return null;
  }
}

/**
 * Stores a text, or removes it if null.
 * @returns false if the store is blocked or full
 */
export function writeText(store: StoreName, key: string, text: string | null): boolean {
  try {
    if (text === null) storeOf(store).removeItem(key);
    else storeOf(store).setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

/** The keys that start with a prefix; none if the store is blocked. */
export function storedKeys(store: StoreName, prefix: string): string[] {
  try {
    return Object.keys(storeOf(store)).filter((key) => key.startsWith(prefix));
  } catch {
    return [];
  }
}

/**
 * The stored JSON value; null if it is not set or not JSON. Any code on this origin may have written it, so
 * callers must validate it.
 */
export function readJson(store: StoreName, key: string): unknown {
  try {
    return JSON.parse(readText(store, key) ?? 'null') as unknown;
  } catch {
    return null;
  }
}

/** Whether a parsed value is an object whose fields can be read. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
