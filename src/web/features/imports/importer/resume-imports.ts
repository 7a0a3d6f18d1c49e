import type { MessageDescriptor } from '@lingui/core';
import { i18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { rejectionHash, type ShareRejection } from '#workers/service-worker/messages.ts';
import { showFailure } from '#web/ui/overlays/toast.tsx';
import { startImporting } from './shared-importer.ts';

const rejections: readonly { rejection: ShareRejection; text: MessageDescriptor }[] = [
  {
    rejection: 'not-stored',
    text: msg`Couldn’t save the shared file on this device. Select “Import files” and choose it there.`,
  },
  {
    rejection: 'too-much',
    text: msg`Too many files are already waiting, or they’re too large together. Import or discard those first.`,
  },
  {
    rejection: 'foreign-page',
    text: msg`Another website tried to add files to your library. None were added.`,
  },
];

/** The fragments that a service worker of the version before uses, where they differ. */
const earlierHashes: Partial<Record<ShareRejection, string>> = { 'not-stored': '#not-kept' };

/**
 * Shows files that another app or page handed over, and continues the imports of earlier pages. Explains a share
 * that was not stored.
 */
export async function resumeImports(): Promise<void> {
  for (const { rejection, text } of rejections) {
    if (![rejectionHash[rejection], earlierHashes[rejection]].includes(location.hash)) continue;
    history.replaceState(history.state, '', location.pathname);
    showFailure(() => i18n._(text));
  }
  await startImporting();
}
