import { useState } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { useFormat } from '#web/i18n/use-format.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx';
import { showToast } from '#web/ui/overlays/toast.tsx';
import { revokeLinks } from '#web/features/sharing/links/share-calls.ts';
import { useAction } from '#web/request-states/use-action.ts';

/** Ends all links of the user, after a question. */
export function RevokeAllButton() {
  const { t } = useLingui();
  const { number } = useFormat();
  const [isConfirming, setConfirming] = useState(false);
  const revoke = useAction(async () => {
    const count = number(await revokeLinks({}));
    showToast({ message: () => t`Links revoked: ${count}` });
  });
  return (
    <>
      <Button variant="plain" data-ends isPending={revoke.isPending} onPress={() => setConfirming(true)}>
        <Trans>Revoke all links</Trans>
      </Button>
      {isConfirming && (
        <ConfirmDialog
          title={<Trans>Revoke all links?</Trans>}
          action={<Trans>Revoke all links</Trans>}
          cancelLabel={<Trans>Keep</Trans>}
          onConfirm={revoke.run}
          onClose={() => setConfirming(false)}
        >
          <Trans>Every link to your recordings stops working within a second. You can’t undo this.</Trans>
        </ConfirmDialog>
      )}
    </>
  );
}
