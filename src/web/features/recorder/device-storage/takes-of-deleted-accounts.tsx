import { useState } from 'react';
import { Trans } from '@lingui/react/macro';
import { Trash2 } from 'lucide-react';
import type { DeviceUsage } from '#device/takes/device-usage.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { TakesOfDeletedAccount } from '#web/recordings/owners/other-owners.tsx';
import { useAction } from '#web/request-states/use-action.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx';
import { deleteTakesOfDeletedAccounts } from './copies.ts';
import styles from './device-storage.module.css';

/** What deleted accounts have on this device, and its deletion, after a question. */
export function TakesOfDeletedAccounts({ of }: { of: DeviceUsage['ofDeletedAccounts'] }) {
  const format = useFormat();
  const [isAsking, setAsking] = useState(false);
  const remove = useAction(deleteTakesOfDeletedAccounts);
  return (
    <div className={styles.note}>
      <p>
        <TakesOfDeletedAccount count={of.count} /> {format.fileSize(of.sizeBytes)}
      </p>
      <Button
        variant="plain"
        icon={<Trash2 aria-hidden />}
        isPending={remove.isPending}
        onPress={() => setAsking(true)}
      >
        <Trans>Delete from this device</Trans>
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={<Trans>Delete from this device</Trans>}
          action={<Trans>Delete permanently</Trans>}
          onConfirm={remove.run}
          onClose={() => setAsking(false)}
        >
          <Trans>No one can sign in to a deleted account to get its recordings. You can’t undo this.</Trans>
        </ConfirmDialog>
      )}
    </div>
  );
}
