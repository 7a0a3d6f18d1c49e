import { i18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { recorder } from '#web/features/recorder/recorder.ts';
import { takeOf } from '#web/features/recorder/take/take.ts';
import type { DelayedCopy } from '#web/ui/dom/delayed-copy.ts';
import { quickShare } from '#web/features/sharing/links/quick-share.ts';
import { titleText } from '#web/recordings/time/title-text.ts';
import { showToast } from '#web/ui/overlays/toast.tsx';

/** Shares the running take, live. The server has to know it. */
export async function shareRunningTake(copy: DelayedCopy): Promise<void> {
  const take = takeOf(recorder.getSnapshot());
  if (take === null) return copy.cancel();
  if (take.safety !== 'device') {
    const target = { recordingId: take.id, title: titleText(take), durationMs: null, span: null };
    await quickShare({ ...target, isGrowing: true }, copy);
    return;
  }
  copy.cancel();
  showToast({
    message: () =>
      i18n._(
        msg`You can share this recording once it’s being saved on the server. Sign in, or wait for a connection.`,
      ),
  });
}
