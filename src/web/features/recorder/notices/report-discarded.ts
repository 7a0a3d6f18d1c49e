import { i18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { dismissToastsAbout, showFailure, showToast } from '#web/ui/overlays/toast.tsx';
import { trashLocalTake, undoTrashOfLocalTake } from '#web/features/recorder/recovery/take-actions.ts';
import type { Take } from '#web/features/recorder/take/take.ts';

/** Moves a discarded take to the trash and offers an Undo. */
export async function reportDiscarded({ id }: Take): Promise<void> {
  try {
    await trashLocalTake(id);
  } catch {
    showFailure(() => i18n._(msg`Something went wrong. Your recording is safe. Try again.`));
    return;
  }
  dismissToastsAbout([id]);
  showToast({
    message: () => i18n._(msg`Recording moved to the trash`),
    action: {
      label: () => i18n._(msg`Undo`),
      onAction: () => {
        void undoTrashOfLocalTake(id);
      },
    },
  });
}
