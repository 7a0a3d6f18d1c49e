import type { MessageDescriptor } from '@lingui/core';
import { i18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { refusalHash, type ShareRefusal } from '#workers/shell/messages.ts';
import { showFailure } from '#web/ui/overlays/toast.tsx';
import { startImporting } from '../importing.ts';

const refusals: readonly { refusal: ShareRefusal; words: MessageDescriptor }[] = [
  { refusal: 'not-kept', words: msg`What was shared could not be kept on this device. Press “Import files” and choose it there.` },
  { refusal: 'too-much', words: msg`Too many files are waiting already, or they are too large together. Import or discard those first.` },
  { refusal: 'foreign-page', words: msg`A page of another site tried to put files into your library. None was taken.` },
];

/** Shows what another app or page handed over, and takes up what earlier pages left. A share that was not stored is explained. */
export async function takeUpImports(): Promise<void> {
  for (const { refusal, words } of refusals) {
    if (location.hash !== refusalHash[refusal]) continue;
    history.replaceState(history.state, '', location.pathname);
    showFailure(i18n._(words));
  }
  await startImporting();
}
