import { useState } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import type { ManagedUser } from '#contract/credentials-api.ts';
import { call } from '#web/api/call.ts';
import { useSession } from '#web/api/session.ts';
import { iso } from '#web/i18n/iso.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx';
import { UserText } from '#web/ui/text/user-text.tsx';
import { accountKeys } from '#web/features/accounts/account-keys.ts';
import { useAction } from '#web/request-states/use-action.ts';

/**
 * Disables a user's account after a confirmation, or enables it again. Renders nothing for the viewer's own
 * account.
 */
export function AccountSwitch({ user }: { user: ManagedUser }) {
  const { t } = useLingui();
  const client = useQueryClient();
  const { user: viewer } = useSession();
  const [isConfirming, setConfirming] = useState(false);
  const change = useAction(async (name: 'disableUser' | 'enableUser') => {
    await call(name, { params: { userId: user.id } });
    await client.invalidateQueries({ queryKey: accountKeys.people });
  });
  if (viewer?.id === user.id) return null;
  const who = iso(user.displayName);
  if (user.disabledAt !== null) {
    return (
      <Button
        variant="plain"
        isPending={change.isPending}
        aria-label={t`Turn on ${who}’s account`}
        onPress={() => change.run('enableUser')}
      >
        <Trans>Turn on account</Trans>
      </Button>
    );
  }
  return (
    <>
      <Button
        variant="plain"
        isPending={change.isPending}
        aria-label={t`Turn off ${who}’s account`}
        onPress={() => setConfirming(true)}
      >
        <Trans>Turn off account</Trans>
      </Button>
      {isConfirming && (
        <ConfirmDialog
          title={<Trans>Turn off this account?</Trans>}
          action={<Trans>Turn off account</Trans>}
          onConfirm={() => change.run('disableUser')}
          onClose={() => setConfirming(false)}
        >
          <p>
            <Trans>
              <UserText>{user.displayName}</UserText> will be signed out on all devices and can’t sign in
              until you turn the account on again. Uploads stop. Nothing is deleted.
            </Trans>
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
