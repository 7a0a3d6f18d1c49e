import { useEffect } from 'react';
import { createStore } from '#base/store.ts';

/** What stands before the document's title, newest last. */
const signs = createStore<readonly { text: string }[]>([]);

/** The sign that the document's title shows; null for none. */
export const titleSign = {
  subscribe: (listener: () => void): (() => void) => signs.subscribe(listener),
  getSnapshot: (): string | null => signs.getSnapshot().at(-1)?.text ?? null,
};

/** Shows a text before the document's title while the component is mounted; null for none. */
export function useTitleSign(text: string | null): void {
  useEffect(() => {
    if (text === null) return undefined;
    const sign = { text };
    signs.set([...signs.getSnapshot(), sign]);
    return () => signs.set(signs.getSnapshot().filter((other) => other !== sign));
  }, [text]);
}
