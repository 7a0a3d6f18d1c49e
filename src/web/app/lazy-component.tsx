import { createElement, lazy, useState, type ComponentType } from 'react';

export interface Deferred<Props> {
  /** Loads the chunk; rendering the component afterwards does not suspend. */
  preload: () => Promise<void>;
  Component: ComponentType<Props>;
}

const failures = new Set<() => void>();

/** Lets every component whose chunk failed to load be loaded again: React caches a failure for good. */
export function retryFailedChunks(): void {
  for (const forget of failures) forget();
  failures.clear();
}

/**
 * A component in its own chunk. Unlike a bare `lazy`, it renders at once if its chunk has loaded: `lazy` suspends
 * for a moment even then, and React keeps a fallback that it has shown for 300 ms.
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
      // Chosen once, because a change of type while mounted would discard the page's state.
      const [chosen] = useState<{ type: ComponentType<Props> }>(() => ({ type: known ?? Lazy }));
      return createElement(chosen.type, props);
    },
  };
}
