import { Trans, useLingui } from '@lingui/react/macro';
import { call } from '#web/api/call.ts';
import { queryClient, shareKeys } from '#web/api/queries/query-client.ts';
import { readAgain } from '#web/api/queries/optimistic-change.ts';
import { useAction } from '#web/request-states/use-action.ts';
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx';
import { showToast } from '#web/ui/overlays/toast.tsx';

/** Asks before every link to a recording ends. */
export function StopSharingDialog({ recordingId, onClose }: { recordingId: string; onClose: () => void }) {
  const { t } = useLingui();
  const stop = useAction(async () => {
    try {
      await call('revokeShares', { body: { recordingId } });
    } finally {
      readAgain(queryClient, shareKeys.everything);
    }
    showToast({ message: () => t`Sharing stopped. No one else can listen.` });
  });
  return (
    <ConfirmDialog
      title={<Trans>Stop sharing this recording?</Trans>}
      action={<Trans>Stop sharing</Trans>}
      onConfirm={stop.run}
      onClose={onClose}
    >
      <Trans>
        Its links stop working within a second, also for people who are listening. You can’t undo this, but
        you can create a new link.
      </Trans>
    </ConfirmDialog>
  );
}
