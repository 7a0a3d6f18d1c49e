import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { HardDrive } from 'lucide-react';
import { useFormat } from '#web/i18n/use-format.ts';
import { useAction } from '#web/request-states/use-action.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { Spinner } from '#web/ui/feedback/spinner.tsx';
import { showToast } from '#web/ui/overlays/toast.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { removeLocalCopies } from './copies.ts';
import { takeStateOf } from '#device/takes/device-take.ts';
import { viewer } from '#device/takes/viewer.ts';
import { TakesOfDeletedAccounts } from './takes-of-deleted-accounts.tsx';
import { OtherOwnersNotice, OtherTakes } from '#web/recordings/owners/other-owners.tsx';
import { isEmptyUsage, type DeviceUsage } from '#device/takes/device-usage.ts';
import { transfers } from '#web/recordings/state/transfers.ts';
import { StoredTakeItem } from './stored-take-item.tsx';
import { deviceUsage } from './usage-store.ts';
import { SpaceLines } from './space-lines.tsx';
import styles from './device-storage.module.css';

export interface StoredOnDeviceProps {
  /** Moves a take that only this device has to the trash, with an Undo. */
  onMoveToTrash: (take: { id: string; title: string; startedAtMs: number }) => void;
}

/** The recordings on this device, with sizes, download and removal. Works while signed out and offline. */
export function StoredOnDevice({ onMoveToTrash }: StoredOnDeviceProps) {
  const { t } = useLingui();
  const stored = useStore(deviceUsage);
  const moving = useStore(transfers);
  const isSignedOut = useStore(viewer).userId === null;
  if (!stored) return <Spinner label={t`Checking this device…`} />;
  const { usage, estimate } = stored;
  return (
    <div className={styles.stored}>
      <h2>
        <Trans>Storage on this device</Trans>
      </h2>
      <SpaceLines estimate={estimate} usedBytes={usage.usedBytes} />
      {isSignedOut && <OtherOwnersNotice withDeleted={false} />}
      {isEmptyUsage(usage) && (
        <EmptyState icon={<HardDrive />} title={<Trans>No recordings on this device</Trans>} />
      )}
      {usage.takes.length > 0 && (
        <ul aria-label={t`Recordings on this device`} className={styles.list}>
          {usage.takes.map((take) => (
            <StoredTakeItem
              key={take.id}
              take={take}
              state={takeStateOf(take, moving.get(take.id))}
              onMoveToTrash={onMoveToTrash}
            />
          ))}
        </ul>
      )}
      <Rest usage={usage} />
      <RemoveCopies usage={usage} />
    </div>
  );
}

/** The recordings on this device that are not in the list. */
function Rest({ usage: { trashed, others, ofDeletedAccounts } }: { usage: DeviceUsage }) {
  const format = useFormat();
  const [trashedSize, othersSize] = [format.fileSize(trashed.sizeBytes), format.fileSize(others.sizeBytes)];
  return (
    <>
      {trashed.count > 0 && (
        <p className={styles.note}>
          <Link href="/trash">
            <Plural value={trashed.count} one="# recording in the trash" other="# recordings in the trash" />
          </Link>
          , {trashedSize}
        </p>
      )}
      {others.count > 0 && (
        <p className={styles.note}>
          <OtherTakes count={others.count} /> {othersSize}
        </p>
      )}
      {ofDeletedAccounts.count > 0 && <TakesOfDeletedAccounts of={ofDeletedAccounts} />}
    </>
  );
}

function RemoveCopies({ usage }: { usage: DeviceUsage }) {
  const { t } = useLingui();
  const format = useFormat();
  const remove = useAction(async () => {
    await removeLocalCopies();
    showToast({
      message: () => t`The copies were removed from this device. The recordings are still on the server.`,
      tone: 'success',
    });
  });
  const copies = usage.takes.filter((take) => takeStateOf(take) === 'server');
  if (copies.length === 0) return null;
  const size = format.fileSize(copies.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0));
  return (
    <div className={styles.foot}>
      <Button onPress={remove.run}>
        <Trans>Free up space on this device</Trans>
      </Button>
      <p className={styles.note}>
        <Trans>Frees {size}. The recordings stay on the server.</Trans>
      </p>
    </div>
  );
}
