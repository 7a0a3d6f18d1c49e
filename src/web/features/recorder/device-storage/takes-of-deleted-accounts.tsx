import { Trans } from '@lingui/react/macro';
import type { DeviceUsage } from '#device/takes/device-usage.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { TakesOfDeletedAccount } from '#web/recordings/owners/other-owners.tsx';
import { deleteTakesOfDeletedAccounts } from './copies.ts';
import { DeleteFromDevice } from './delete-from-device.tsx';
import styles from './device-storage.module.css';

/** What deleted accounts have on this device, and its deletion, after a question. */
export function TakesOfDeletedAccounts({ of }: { of: DeviceUsage['ofDeletedAccounts'] }) {
  const format = useFormat();
  return (
    <div className={styles.note}>
      <p>
        <TakesOfDeletedAccount count={of.count} /> {format.fileSize(of.sizeBytes)}
      </p>
      <DeleteFromDevice onDelete={deleteTakesOfDeletedAccounts}>
        <Trans>No one can sign in to a deleted account to get its recordings. You can’t undo this.</Trans>
      </DeleteFromDevice>
    </div>
  );
}
