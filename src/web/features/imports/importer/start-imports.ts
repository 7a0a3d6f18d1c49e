import { i18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { session } from '#web/api/session.ts';
import { isTakeRunning, requestSignIn } from '#web/api/sign-in-prompt.ts';
import { showFailure } from '#web/ui/overlays/toast.tsx';
import { importer } from './shared-importer.ts';
import type { ChosenFiles } from './chosen-files.ts';

/**
 * Starts importing the chosen files. Prompts a signed-out user to sign in while the files are already being read.
 */
export function startImports(chosen: ChosenFiles): void {
  if ([chosen.files, chosen.leftOut, chosen.unopened].every(({ length }) => length === 0)) {
    showFailure(() => i18n._(msg`No files found`));
    return;
  }
  void importer.add(chosen);
  if (chosen.files.length > 0) requestSignInForImport();
}

/** Imports files that another app or page handed over. */
export function acceptOffered(ids: readonly string[]): void {
  importer.accept(ids);
  requestSignInForImport();
}

/** Prompts a signed-out user to sign in, because nothing is sent before. Does not interrupt a take. */
function requestSignInForImport(): void {
  if (session.getSnapshot().status === 'signed-out' && !isTakeRunning()) requestSignIn();
}
