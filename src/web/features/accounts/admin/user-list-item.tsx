import { useState } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { UserRound } from 'lucide-react';
import type { ManagedUser } from '#contract/credentials-api.ts';
import { call } from '#web/api/call.ts';
import { iso } from '#web/i18n/iso.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { UserText } from '#web/ui/text/user-text.tsx';
import { CopyButton } from '#web/ui/controls/copy-button.tsx';
import { SettingsItem } from '#web/features/accounts/parts/section.tsx';
import { AccountSwitch } from './account-switch.tsx';
import { QuotaDialog } from './quota-dialog.tsx';
import { useAction } from '#web/request-states/use-action.ts';
import styles from '#web/features/accounts/parts/settings.module.css';

/** The facts about a user, in one line. */
function UserFacts({ user }: { user: ManagedUser }) {
  const { date, relativeTime, fileSize } = useFormat();
  const since = date(user.createdAt);
  const seen = user.lastSeenAt === null ? null : relativeTime(user.lastSeenAt);
  const limit = user.quotaBytes === null ? null : fileSize(user.quotaBytes);
  return (
    <>
      {user.email !== null && (
        <>
          <bdi translate="no">{user.email}</bdi> ·{' '}
        </>
      )}
      {seen === null ? (
        <Trans>Joined {since}</Trans>
      ) : (
        <Trans>
          Joined {since}, last active {seen}
        </Trans>
      )}
      {user.hasTotp && (
        <>
          {' '}
          · <Trans>two-step sign-in</Trans>
        </>
      )}
      {limit !== null && (
        <>
          {' '}
          · <Trans>limit: {limit}</Trans>
        </>
      )}
    </>
  );
}

/** A user, with the storage limit, a password reset link, and the switch that disables the account. */
export function UserListItem({ user }: { user: ManagedUser }) {
  const { t } = useLingui();
  const { dateTime } = useFormat();
  const [isEditingQuota, setEditingQuota] = useState(false);
  const [link, setLink] = useState<{ url: string; expiresAt: string } | null>(null);
  const make = useAction(async () => setLink(await call('createResetLink', { params: { userId: user.id } })));
  const until = link && dateTime(link.expiresAt);
  return (
    <>
      <SettingsItem
        icon={<UserRound />}
        title={
          <>
            <UserText>{user.displayName}</UserText>
            {user.role === 'admin' && (
              <span className={styles.badge}>
                <Trans>Admin</Trans>
              </span>
            )}
            {user.disabledAt !== null && (
              <span className={styles.badge}>
                <Trans>Turned off</Trans>
              </span>
            )}
          </>
        }
        actions={
          <>
            <Button
              variant="plain"
              aria-label={t`Storage limit for ${iso(user.displayName)}`}
              onPress={() => setEditingQuota(true)}
            >
              <Trans context="how much a person may store">Storage limit</Trans>
            </Button>
            {user.disabledAt === null && (
              <Button
                variant="plain"
                isPending={make.isPending}
                aria-label={t`Password reset link for ${iso(user.displayName)}`}
                onPress={() => make.run()}
              >{t`Reset link`}</Button>
            )}
            <AccountSwitch user={user} />
          </>
        }
      >
        <UserFacts user={user} />
      </SettingsItem>
      {isEditingQuota && <QuotaDialog user={user} onClose={() => setEditingQuota(false)} />}
      {link && (
        <Dialog title={<Trans>Password reset link</Trans>} isOpen onOpenChange={() => setLink(null)}>
          <div className={styles.form}>
            <p>
              <Trans>
                For <UserText>{user.displayName}</UserText>, valid until {until}. You won’t see it again.
                Creating a new link cancels this one.
              </Trans>
            </p>
            <div className={styles.key}>
              <code dir="ltr" className={styles.keyText}>
                {link.url}
              </code>
              <div>
                <CopyButton text={link.url} />
              </div>
            </div>
          </div>
        </Dialog>
      )}
    </>
  );
}
