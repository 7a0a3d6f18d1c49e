import { queryClient, recordingKeys } from '#web/api/query-client.ts';
import { session } from '#web/api/session.ts';
import { Importer } from './run/importer.ts';

/** The imports of this page. */
export const importer = new Importer({
  nowMs: () => Date.now(),
  onImported: () => { void queryClient.invalidateQueries({ queryKey: recordingKeys.lists }); },
});

let started: Promise<number> | null = null;

/**
 * Takes up what another app shared and what earlier pages left, and follows who is signed in. Once per page.
 * @returns how many files were shared
 */
export function startImporting(): Promise<number> {
  if (started === null) {
    session.subscribe(importer.sessionChanged);
    started = importer.start();
  }
  return started;
}
