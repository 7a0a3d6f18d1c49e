/**
 * The browser's small stores, for text that the app can do without. A browser that blocks site data throws
 * `SecurityError` at the getter `localStorage` itself, so existence says nothing: each call asks for
 * permission by using the store, and refusal is an answer.
 */
export type StoreName = 'localStorage' | 'sessionStorage';

/** The part of `Storage` that is used here; a worker has none. */
interface TextStore {
  getItem: (key: string) => string | null;
  setItem: (key: string, text: string) => void;
  removeItem: (key: string) => void;
}

function storeOf(name: StoreName): TextStore {
  const store: TextStore = Reflect.get(globalThis, name);
  return store;
}

/** The stored text; null where there is none or the store may not be used. */
export function readText(store: StoreName, key: string): string | null {
  try {
    return storeOf(store).getItem(key);
  } catch {
    return null;
  }
}

/** Stores a text, or removes it (null). @returns false where the store may not be used or is full */
export function writeText(store: StoreName, key: string, text: string | null): boolean {
  try {
    if (text === null) storeOf(store).removeItem(key);
    else storeOf(store).setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

/**
 * The stored JSON value, which anything on this origin may have written; null where there is none or it is
 * not JSON.
 */
export function readJson(store: StoreName, key: string): unknown {
  try {
    return JSON.parse(readText(store, key) ?? 'null') as unknown;
  } catch {
    return null;
  }
}

/** Whether a parsed value has fields that can be looked at. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
