import { useState } from 'react';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { StorageReport } from '#contract/storage-api.ts';
import { useErrorMessage } from '#web/api/error-messages.ts';
import { recordingKeys } from '#web/api/queries/query-client.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx';
import { showFailure, showToast } from '#web/ui/overlays/toast.tsx';
import { emptyTrash, type OnPurged } from './empty-trash.ts';
import styles from './account-data.module.css';

/** The trash on the server: its size, the next date of deletion, and a button to empty it. */
export function TrashUse({
  trash: { bytes, count, nextPurgeAt },
  onPurged,
}: {
  trash: StorageReport['trash'];
  onPurged: OnPurged;
}) {
  const { t } = useLingui();
  const format = useFormat();
  const messageOf = useErrorMessage();
  const client = useQueryClient();
  const [isConfirming, setConfirming] = useState(false);
  const emptying = useMutation({
    mutationFn: () => emptyTrash(onPurged),
    onSuccess: () => showToast({ message: () => t`The trash is empty`, tone: 'success' }),
    onError: (error) => showFailure(() => messageOf(error)),
    onSettled: () => client.invalidateQueries({ queryKey: recordingKeys.lists }),
  });
  const size = format.fileSize(bytes);
  const day = nextPurgeAt === null ? null : format.date(nextPurgeAt);
  return (
    <section className={styles.section}>
      <h3>
        <Trans>Trash</Trans>
      </h3>
      <p>
        <Link href="/trash">
          <Plural value={count} one="# recording in the trash" other="# recordings in the trash" />
        </Link>
        , {size}
      </p>
      {day !== null && (
        <p className={styles.hint}>
          <Trans>The next one will be permanently deleted on {day}.</Trans>
        </p>
      )}
      <Button isPending={emptying.isPending} onPress={() => setConfirming(true)}>
        <Trans>Empty trash</Trans>
      </Button>
      {isConfirming && (
        <Question
          count={count}
          size={size}
          onClose={() => setConfirming(false)}
          onConfirm={() => emptying.mutate()}
        />
      )}
    </section>
  );
}

function Question({
  count,
  size,
  onClose,
  onConfirm,
}: {
  count: number;
  size: string;
  onClose: () => void;
  onConfirm: () => void;
}) {
  return (
    <ConfirmDialog
      title={<Trans>Empty the trash?</Trans>}
      action={<Trans>Empty trash</Trans>}
      cancelLabel={<Trans>Keep</Trans>}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <Plural value={count} one="# recording" other="# recordings" /> ({size}).{' '}
      <Trans>Everything in it will be permanently deleted. You can’t undo this.</Trans>
    </ConfirmDialog>
  );
}
