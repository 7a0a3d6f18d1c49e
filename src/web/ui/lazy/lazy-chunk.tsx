import { createElement, lazy, useState, type ComponentType } from 'react';
import { loadInBackground } from './load-in-background.ts';

export interface LazyChunk<Module> {
  /** Loads the chunk. Its components that are rendered afterwards do not suspend. */
  load: () => Promise<Module>;
  /** Loads the chunk for later. A failure is reported when a component of it is rendered. */
  preload: () => void;
  /** A component of the chunk. Rendering it suspends until the chunk has loaded, and throws if that fails. */
  component: <Props extends object>(pick: (module: Module) => ComponentType<Props>) => ComponentType<Props>;
}

const failures = new Set<() => void>();

/** Lets every component whose chunk failed to load be loaded again: React caches a failure for good. */
export function retryFailedChunks(): void {
  for (const forget of failures) forget();
  failures.clear();
}

/**
 * Code of its own chunk, and components in it. Unlike a bare `lazy`, a component renders at once if its chunk has
 * loaded (`lazy` suspends for a moment even then, and React keeps a fallback that it has shown for 300 ms), and can
 * be loaded again after a failure.
 */
export function lazyChunk<Module extends object>(loadModule: () => Promise<Module>): LazyChunk<Module> {
  let known: Module | null = null;
  let loading: Promise<Module> | null = null;
  async function loadOnce(): Promise<Module> {
    try {
      known = await loadModule();
      return known;
    } finally {
      loading = null;
    }
  }
  const load = async (): Promise<Module> => known ?? (loading ??= loadOnce());
  return {
    load,
    preload: () => void load().catch(() => undefined),
    component: <Props extends object>(pick: (module: Module) => ComponentType<Props>) => {
      const freshLazy = () =>
        lazy(async () => {
          try {
            return { default: pick(await load()) };
          } catch (error) {
            failures.add(() => {
              Lazy = freshLazy();
            });
            throw error;
          }
        });
      let Lazy = freshLazy();
      return function LazyComponent(props: Props) {
        // Chosen once, because a change of type while mounted would discard the component's state.
        const [chosen] = useState<{ type: ComponentType<Props> }>(() => ({
          type: known === null ? Lazy : pick(known),
        }));
        return createElement(chosen.type, props);
      };
    },
  };
}

/** A chunk that belongs to the page. It is loaded until that succeeds, so its components suspend but never throw for it. */
export const backgroundChunk = <Module extends object>(
  loadModule: () => Promise<Module>,
): LazyChunk<Module> => lazyChunk(() => loadInBackground(loadModule));
