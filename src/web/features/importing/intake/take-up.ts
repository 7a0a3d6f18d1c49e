import { i18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { notKept } from '#workers/shell/messages.ts';
import { showFailure } from '#web/ui/overlays/toast.tsx';
import { startImporting } from '../importing.ts';
import { askForSender } from './take-in.ts';

/** Takes up what another app shared and what earlier pages left. A browser that keeps nothing was handed nothing; one that had no room for it says so. */
export async function takeUpImports(): Promise<void> {
  if (location.hash === notKept) {
    history.replaceState(history.state, '', location.pathname);
    showFailure(i18n._(msg`What was shared could not be kept on this device. Press “Import files” and choose it there.`));
  }
  if (await startImporting() > 0) askForSender();
}
