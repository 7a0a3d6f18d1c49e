import { Trans, useLingui } from '@lingui/react/macro';
import type { AccountNotice } from '#contract/accounts-api.ts';
import { call } from '#web/api/call.ts';
import { session, useSession } from '#web/api/session.ts';
import { isTakeRunning } from '#web/api/sign-in-prompt.ts';
import { iso } from '#web/i18n/iso.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { useAction } from '#web/request-states/use-action.ts';
import styles from './overlays.module.css';

/**
 * Announces after a sign-in that an administrator created a password reset link, until the user confirms it. It
 * never covers a running take.
 */
export function ResetLinkNotices() {
  const { notices } = useSession();
  const [newest] = notices;
  return newest === undefined || isTakeRunning() ? null : (
    <ResetLinkDialog newest={newest} notices={notices} />
  );
}

function ResetLinkDialog({ newest, notices }: { newest: AccountNotice; notices: readonly AccountNotice[] }) {
  const { t } = useLingui();
  const { dateTime } = useFormat();
  const confirm = useAction(async () => {
    await call('acknowledgeNotices', { body: { until: newest.at } });
    await session.refresh();
  });
  const announcementOf = ({ byName }: AccountNotice) => {
    const name = iso(byName);
    return t`${name}, an administrator of this Earshot server, created a password reset link for your account.`;
  };
  return (
    <Dialog
      title={<Trans>A password reset link was created for your account</Trans>}
      size="s"
      isOpen
      onOpenChange={() => confirm.run()}
    >
      <div className={styles.question}>
        {notices.map((notice) => (
          <p key={notice.id}>
            {announcementOf(notice)} ({dateTime(notice.at)})
          </p>
        ))}
        <p>
          <Trans>
            If you asked for it, there’s nothing to do. If you didn’t, someone with the link could sign in as
            you and listen to your recordings. Set a new password and check your account’s history.
          </Trans>
        </p>
        <div className={styles.actions}>
          <Link href="/settings/security">
            <Trans>History</Trans>
          </Link>
          <Button
            variant="primary"
            isPending={confirm.isPending}
            onPress={() => confirm.run()}
          >{t`I have read this`}</Button>
        </div>
      </div>
    </Dialog>
  );
}
