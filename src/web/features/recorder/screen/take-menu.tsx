import { useState } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { Share2, Trash2 } from 'lucide-react';
import { useFormat } from '#web/i18n/use-format.ts';
import { MenuButton, type MenuItem } from '#web/ui/overlays/menu-button.tsx';
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx';
import { recorder } from '#web/features/recorder/recorder.ts';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { takeSharing } from './take-sharing.ts';
import type { Take } from '#web/features/recorder/take/take.ts';

/** Rare actions on a running take. Discarding requires a confirmation that states the take's length. */
export function TakeMenu({ take }: { take: Take }) {
  const { t } = useLingui();
  const share = useStore(takeSharing);
  const format = useFormat();
  // The length when the dialog opened. A running clock in its title would be announced repeatedly.
  const [confirmedAtMs, setConfirmedAtMs] = useState<number | null>(null);
  const length = confirmedAtMs === null ? '' : format.duration(confirmedAtMs);
  const items: MenuItem[] = [
    ...(share ? [{ id: 'share', label: t`Share live`, icon: <Share2 />, onAction: share }] : []),
    {
      id: 'discard',
      label: t`Discard`,
      icon: <Trash2 />,
      danger: true,
      onAction: () => setConfirmedAtMs(take.progress.capturedMs),
    },
  ];
  return (
    <>
      <MenuButton label={t`More actions`} items={items} />
      {confirmedAtMs !== null && (
        <ConfirmDialog
          title={<Trans>Stop and move to trash? {length}</Trans>}
          action={<Trans>Move to trash</Trans>}
          onConfirm={recorder.discard}
          onClose={() => setConfirmedAtMs(null)}
        >
          <Trans>You can restore the recording from the trash.</Trans>
        </ConfirmDialog>
      )}
    </>
  );
}
