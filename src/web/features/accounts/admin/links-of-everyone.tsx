import { useState } from 'react';
import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link2 } from 'lucide-react';
import type { Api } from '#contract/api.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { call } from '#web/api/call.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { QueryState } from '#web/request-states/query-state.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx';
import { showToast } from '#web/ui/overlays/toast.tsx';
import { UserText } from '#web/ui/text/user-text.tsx';
import { accountKeys } from '#web/features/accounts/account-keys.ts';
import { Section, SettingsItem, SettingsList } from '#web/features/accounts/parts/section.tsx';
import { useAction } from '#web/request-states/use-action.ts';
import styles from '#web/features/accounts/parts/settings.module.css';

type ListedLink = ReplyOf<Api['listSharesAsAdmin']>['items'][number];

/** More links than this are shown on request. */
const linksAtATime = 50;

/** For administrators: the links of all users, without titles and addresses. */
export function LinksOfEveryone() {
  const { t } = useLingui();
  const [count, setCount] = useState(linksAtATime);
  const answer = useQuery({
    queryKey: accountKeys.linksOfEveryone,
    queryFn: ({ signal }) => call('listSharesAsAdmin', { signal }),
    meta: { what: msg`Links` },
  });
  const items = answer.data?.items ?? [];
  return (
    <Section
      title={<Trans>Links on this server</Trans>}
      hint={<Trans>You see whose links exist, but not their recordings, and you can revoke them.</Trans>}
    >
      <QueryState of={accountKeys.linksOfEveryone} answer={answer} label={t`Opening…`} />
      {answer.data && items.length === 0 && (
        <p>
          <Trans>No links yet.</Trans>
        </p>
      )}
      {items.length > 0 && (
        <SettingsList>
          {items.slice(0, count).map((link) => (
            <ListedLinkItem key={link.id} link={link} />
          ))}
        </SettingsList>
      )}
      {items.length > count && <Button onPress={() => setCount(count + linksAtATime)}>{t`Show more`}</Button>}
    </Section>
  );
}

function ListedLinkItem({ link }: { link: ListedLink }) {
  const { t } = useLingui();
  const { date, number } = useFormat();
  const client = useQueryClient();
  const [isConfirming, setConfirming] = useState(false);
  const revoke = useAction(async () => {
    await call('revokeShareAsAdmin', { params: { shareId: link.id } });
    showToast({ message: () => t`Link revoked` });
    await client.invalidateQueries({ queryKey: accountKeys.linksOfEveryone });
  });
  const states: Record<ListedLink['state'], string> = {
    active: t({ message: 'Active', comment: 'A link that works' }),
    suspended: t({ message: 'Suspended', comment: 'A link that does not work now' }),
    expired: t({ message: 'Expired', comment: 'A link whose time is over' }),
    'used-up': t({ message: 'Used up', comment: 'A link that was listened to as often as allowed' }),
    revoked: t({ message: 'Revoked', comment: 'A link that its owner ended' }),
  };
  const audiences: Record<ListedLink['audience'], string> = {
    anyone: t`Anyone with the link`,
    installation: t`Anyone with an account on this server`,
    named: t`Only named people`,
  };
  const played = number(link.listenCount);
  const created = date(link.createdAt);
  const until = link.expiresAt === null ? null : date(link.expiresAt);
  return (
    <>
      <SettingsItem
        icon={<Link2 />}
        title={
          <>
            <UserText>{link.ownerName}</UserText>
            <span className={styles.badge}>{states[link.state]}</span>
          </>
        }
        actions={
          link.state !== 'revoked' && (
            <Button
              variant="plain"
              data-ends
              isPending={revoke.isPending}
              onPress={() => setConfirming(true)}
            >{t`Revoke`}</Button>
          )
        }
      >
        {audiences[link.audience]} ·{' '}
        {until === null ? (
          <Trans>Created: {created}</Trans>
        ) : (
          <Trans>
            Created: {created}, expires: {until}
          </Trans>
        )}{' '}
        · <Trans comment="How often a link was listened to">Played: {played}</Trans>
      </SettingsItem>
      {isConfirming && (
        <ConfirmDialog
          title={<Trans>Revoke this link?</Trans>}
          action={<Trans>Revoke</Trans>}
          cancelLabel={<Trans>Keep</Trans>}
          onConfirm={() => revoke.run()}
          onClose={() => setConfirming(false)}
        >
          <Trans>The link stops working within a second. Its owner can create a new one.</Trans>
        </ConfirmDialog>
      )}
    </>
  );
}
