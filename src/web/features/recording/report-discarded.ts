import { i18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { showToast } from '#web/ui/overlays/toast.tsx';
import { iso } from '#web/i18n/iso.ts';
import { restoreLocalTake, trashLocalTake } from './local/take-actions.ts';
import type { Take } from './take/take.ts';

/** Moves a discarded take to the trash and offers the way back. */
export function reportDiscarded({ id, title }: Take): void {
  const name = iso(title);
  void trashLocalTake(id).then(() => {
    showToast({
      message: i18n._(msg`“${name}” is in the trash.`),
      action: { label: i18n._(msg`Undo`), onAction: () => { void restoreLocalTake(id); } },
    });
  });
}
