import { i18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { recorder } from '#web/features/recorder/recorder.ts';
import { takeOf } from '#web/features/recorder/take/take.ts';
import { openShareSheet } from '#web/features/sharing/signs/open-sheet.ts';
import { titleText } from '#web/recordings/time/title-text.ts';
import { showToast } from '#web/ui/overlays/toast.tsx';

/** Opens the sheet that shares the running take, live. The server has to know it. */
export function shareRunningTake(): void {
  const take = takeOf(recorder.getSnapshot());
  if (take === null) return;
  if (take.safety !== 'device') {
    const target = { recordingId: take.id, title: titleText(take), durationMs: null, span: null };
    openShareSheet({ ...target, isGrowing: true });
    return;
  }
  showToast({
    message: () =>
      i18n._(
        msg`You can share this recording once it’s being saved on the server. Sign in, or wait for a connection.`,
      ),
  });
}
