import { Trans, useLingui } from '@lingui/react/macro';
import type { Share } from '#contract/shares.ts';
import { useAction } from '#web/request-states/use-action.ts';
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx';
import { showToast } from '#web/ui/overlays/toast.tsx';
import { revokeLink } from '#web/features/sharing/links/share-calls.ts';

/** Asks before a link ends, because its address never works again. */
export function RevokeDialog({ share, onClose }: { share: Pick<Share, 'id'>; onClose: () => void }) {
  const { t } = useLingui();
  const revoke = useAction(async () => {
    await revokeLink(share.id);
    showToast({ message: () => t`Link revoked` });
  });
  return (
    <ConfirmDialog
      title={<Trans>Revoke this link?</Trans>}
      action={<Trans>Revoke</Trans>}
      cancelLabel={<Trans>Keep</Trans>}
      onConfirm={revoke.run}
      onClose={onClose}
    >
      <Trans>
        The link stops working within a second, also for people who are listening. You can’t undo this, but
        you can create a new link.
      </Trans>
    </ConfirmDialog>
  );
}
