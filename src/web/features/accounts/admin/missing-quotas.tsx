import { useState } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { useAction } from '#web/request-states/use-action.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx';
import { showToast } from '#web/ui/overlays/toast.tsx';
import { accountKeys } from '#web/features/accounts/account-keys.ts';
import styles from '#web/features/accounts/parts/settings.module.css';

/** Gives accounts that have no quota the one that new accounts get, after it has said whom it meets. */
export function MissingQuotas() {
  const { t } = useLingui();
  const format = useFormat();
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const { data } = useQuery({
    queryKey: accountKeys.missingQuotas,
    queryFn: ({ signal }) => call('getMissingQuotas', { signal }),
  });
  const grant = useAction(async (quotaBytes: number) => {
    const { userCount } = await call('grantMissingQuotas', { body: { quotaBytes } });
    await client.invalidateQueries({ queryKey: accountKeys.missingQuotas });
    await client.invalidateQueries({ queryKey: accountKeys.people });
    const count = format.number(userCount);
    showToast({ message: () => t`Limit set. Accounts: ${count}`, tone: 'success' });
  });
  if (data === undefined || data.quotaBytes === null || data.userCount === 0) return null;
  const { quotaBytes } = data;
  const [limit, count, over] = [
    format.fileSize(quotaBytes),
    format.number(data.userCount),
    format.number(data.overCount),
  ];
  return (
    <div className={styles.buttons}>
      <Button isPending={grant.isPending} onPress={() => setOpen(true)}>
        <Trans>Limit for existing accounts</Trans>
      </Button>
      {isOpen && (
        <ConfirmDialog
          title={<Trans>Limit for existing accounts</Trans>}
          action={<Trans>Set limit</Trans>}
          onConfirm={() => grant.run(quotaBytes)}
          onClose={() => setOpen(false)}
        >
          <p>
            <Trans>
              Accounts without a storage limit: {count}. Each of them gets {limit}, as new accounts do.
            </Trans>
          </p>
          <p>
            <Trans>
              Accounts already over it: {over}. Nothing is deleted, and recording still works. Recordings made
              offline stay on the device, and files can’t be imported, until there’s space.
            </Trans>
          </p>
        </ConfirmDialog>
      )}
    </div>
  );
}
