import { useState } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import type { Identity } from '#contract/providers-api.ts';
import { call } from '#web/api/call.ts';
import { iso } from '#web/i18n/iso.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx';
import { showToast } from '#web/ui/overlays/toast.tsx';
import { UserText } from '#web/ui/text/user-text.tsx';
import { ProviderIcon } from '#web/features/accounts/providers/provider-icon.tsx';
import { SettingsItem } from '#web/features/accounts/parts/section.tsx';
import { useAction } from '#web/request-states/use-action.ts';

/** A linked account, with a button to unlink it. */
export function IdentityListItem({
  identity,
  onChanged,
}: {
  identity: Identity;
  onChanged: () => Promise<void>;
}) {
  const { t } = useLingui();
  const { date, relativeTime } = useFormat();
  const [isConfirming, setConfirming] = useState(false);
  const name = iso(identity.providerName);
  const unlink = useAction(async () => {
    await call('unlinkProvider', { body: { provider: identity.provider, accountId: identity.id } });
    await onChanged();
    showToast({ message: () => t`${name} was unlinked.` });
  });
  const who = identity.email ?? identity.label;
  const [linked, used] = [date(identity.linkedAt), relativeTime(identity.lastUsedAt)];
  return (
    <>
      <SettingsItem
        icon={<ProviderIcon kind={identity.kind} />}
        title={
          <>
            <bdi translate="no">{identity.providerName}</bdi>
            {who !== null && <UserText>{who}</UserText>}
          </>
        }
        actions={
          <Button
            variant="plain"
            isPending={unlink.isPending}
            aria-label={t`Unlink ${name}`}
            onPress={() => setConfirming(true)}
          >{t`Unlink`}</Button>
        }
      >
        <Trans>
          Linked {linked}, last used {used}
        </Trans>
        {!identity.isUsable && (
          <>
            {' '}
            · <Trans>no longer offered by this server</Trans>
          </>
        )}
      </SettingsItem>
      {isConfirming && (
        <ConfirmDialog
          title={<Trans>Unlink {name}?</Trans>}
          action={<Trans>Unlink</Trans>}
          onConfirm={() => unlink.run()}
          onClose={() => setConfirming(false)}
        >
          <Trans>
            You’ll no longer be able to sign in here with {name}. Your {name} account itself isn’t affected.
          </Trans>
        </ConfirmDialog>
      )}
    </>
  );
}
