import { useState } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { KeyRound } from 'lucide-react';
import type { Passkey } from '#contract/credentials-api.ts';
import { limits } from '#contract/limits.ts';
import { call } from '#web/api/call.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { MenuButton } from '#web/ui/overlays/menu-button.tsx';
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx';
import { NameDialog } from '#web/ui/overlays/name-dialog.tsx';
import { showToast } from '#web/ui/overlays/toast.tsx';
import { UserText } from '#web/ui/text/user-text.tsx';
import { SettingsItem } from '#web/features/accounts/parts/section.tsx';
import { useAction } from '#web/request-states/use-action.ts';

/** A passkey: its name, its last use, and its actions. */
export function PasskeyListItem({
  passkey,
  onChanged,
}: {
  passkey: Passkey;
  onChanged: () => Promise<void>;
}) {
  const { t } = useLingui();
  const { date, relativeTime } = useFormat();
  const [open, setOpen] = useState<'name' | 'removal' | null>(null);
  const rename = useAction(async (name: string) => {
    await call('renamePasskey', { params: { passkeyId: passkey.id }, body: { name } });
    await onChanged();
  });
  const remove = useAction(async () => {
    await call('removePasskey', { params: { passkeyId: passkey.id } });
    await onChanged();
    showToast({ message: () => t`Passkey removed.` });
  });
  const added = date(passkey.createdAt);
  const used = passkey.lastUsedAt === null ? null : relativeTime(passkey.lastUsedAt);
  return (
    <>
      <SettingsItem
        icon={<KeyRound />}
        title={<UserText>{passkey.name}</UserText>}
        actions={
          <MenuButton
            label={t`Actions for ${passkey.name}`}
            items={[
              { id: 'rename', label: t`Rename`, onAction: () => setOpen('name') },
              { id: 'remove', label: t`Remove`, danger: true, onAction: () => setOpen('removal') },
            ]}
          />
        }
      >
        {used === null ? (
          <Trans>Added {added}, never used</Trans>
        ) : (
          <Trans>
            Added {added}, last used {used}
          </Trans>
        )}
        {!passkey.isBackedUp && (
          <>
            {' '}
            · <Trans>on one device only</Trans>
          </>
        )}
      </SettingsItem>
      {open === 'name' && (
        <NameDialog
          title={t`Passkey name`}
          name={passkey.name}
          maxLength={limits.displayNameLength}
          onSave={rename.run}
          onClose={() => setOpen(null)}
        />
      )}
      {open === 'removal' && (
        <ConfirmDialog
          title={<Trans>Remove this passkey?</Trans>}
          action={<Trans>Remove</Trans>}
          onConfirm={() => remove.run()}
          onClose={() => setOpen(null)}
        >
          <Trans>
            You’ll no longer be able to sign in with <UserText>{passkey.name}</UserText>. Delete it from your
            device’s passwords too, so that it isn’t offered any more.
          </Trans>
        </ConfirmDialog>
      )}
    </>
  );
}
