import { second } from '#base/duration.ts';
import { sessionState } from '#web/api/session-state.ts';
import { waitFor } from '#base/store.ts';

/** The answers are there already; whatever keeps them from being read must not keep the page. */
const longestMs = second;

/** What the pages show first of a person's; each page's file is there by then. */
const prepares: Readonly<Record<string, () => Promise<void>>> = {
  library: async () => (await import('#web/app/pages/library-page.tsx')).prepareLibrary(),
  player: async () =>
    (await import('#web/app/pages/player-page.tsx')).prefetchRecording(
      location.pathname.split('/').at(-1) ?? '',
    ),
};

async function prepare(name: string): Promise<void> {
  await waitFor([sessionState], () => sessionState.getSnapshot().status !== 'unknown');
  if (sessionState.getSnapshot().status === 'signed-in') await prepares[name]?.();
}

/**
 * Where the page's picture shows recordings already (first/fill-picture.ts): has them at hand before the app
 * is drawn, so that they do not vanish in between.
 */
export async function prepareFilled(): Promise<void> {
  const { standIn, filled } = document.querySelector<HTMLElement>('[data-stand-in]')?.dataset ?? {};
  if (standIn === undefined || filled === undefined) return;
  await Promise.race([
    prepare(standIn).catch(() => undefined),
    new Promise((resolve) => {
      setTimeout(resolve, longestMs);
    }),
  ]);
}
