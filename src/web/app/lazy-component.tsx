import { createElement, lazy, useState, type ComponentType } from 'react';

export interface Deferred<Props> {
  /** Fetches the chunk; rendering it afterwards does not suspend. */
  preload: () => Promise<void>;
  Component: ComponentType<Props>;
}

const failures = new Set<() => void>();

/** Lets every component whose chunk could not be fetched be fetched again: React keeps a failure for good. */
export function retryFailedChunks(): void {
  for (const forget of failures) forget();
  failures.clear();
}

/**
 * A component in a chunk of its own. Unlike a bare `lazy` it renders at once when its chunk is already here:
 * `lazy` suspends for a moment even then, and React keeps a fallback that it has shown for 300 ms.
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): Deferred<Props> {
  let known: ComponentType<Props> | null = null;
  const fetched = async (): Promise<ComponentType<Props>> => (known ??= await load());
  const freshLazy = () =>
    lazy(async () => {
      try {
        return { default: await fetched() };
      } catch (error) {
        failures.add(() => {
          Lazy = freshLazy();
        });
        throw error;
      }
    });
  let Lazy = freshLazy();
  return {
    preload: async () => {
      await fetched();
    },
    Component: function DeferredComponent(props: Props) {
      // Chosen once: a change of type while mounted would throw the page's state away.
      const [chosen] = useState<{ type: ComponentType<Props> }>(() => ({ type: known ?? Lazy }));
      return createElement(chosen.type, props);
    },
  };
}
