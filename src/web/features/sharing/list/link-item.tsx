import { useId, useState, type ReactNode } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { CalendarPlus, Ban, Power, SlidersHorizontal } from 'lucide-react';
import type { Share, SharingPolicy } from '#contract/shares.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { showToast } from '#web/ui/overlays/toast.tsx';
import { UserText } from '#web/ui/text/user-text.tsx';
import { changeLink } from '#web/features/sharing/links/share-calls.ts';
import { useAction } from '#web/request-states/use-action.ts';
import { extendedUntil } from '#web/features/sharing/terms/expiry-choices.ts';
import { shareStateMessages } from '#web/features/sharing/terms/share-states.ts';
import { summaryOf } from '#web/features/sharing/terms/share-summary.ts';
import { AccessRequests } from './access-requests.tsx';
import { CopyAddress } from './copy-address.tsx';
import { LockedNotice } from './locked-notice.tsx';
import { DayCounts } from './day-counts.tsx';
import { RevokeDialog } from './revoke-dialog.tsx';
import styles from './links.module.css';

export interface LinkItemProps {
  share: Share;
  policy: SharingPolicy;
  isGrowing: boolean | null;
  /** The number that names the link if it has no name. */
  number: number;
  /** The recording, where the heading does not name it. */
  recording?: ReactNode;
  onOpen: () => void;
}

/** A link: for whom it is, what it allows, how often it was used, and its actions. */
export function LinkItem({ share, policy, isGrowing, number, recording, onOpen }: LinkItemProps) {
  const { i18n, t } = useLingui();
  const titleId = useId();
  const format = useFormat();
  const count = format.number(number);
  const { label, tone } = shareStateMessages[share.state];
  return (
    <li className={styles.item} data-tone={share.isPasswordLocked && tone === 'neutral' ? 'warn' : tone}>
      <div className={styles.words}>
        <span className={styles.head}>
          <span id={titleId} className={styles.name}>
            {recording ??
              (share.recipientLabel === '' ? t`Link ${count}` : <UserText>{share.recipientLabel}</UserText>)}
          </span>
          <span className={styles.state}>{i18n._(label)}</span>
        </span>
        <span className={styles.summary}>{summaryOf(share, { i18n, isGrowing }).join(' ')}</span>
        <Counts share={share} />
      </div>
      {share.state !== 'revoked' && <LockedNotice share={share} />}
      <AccessRequests share={share} />
      <DayCounts share={share} />
      {share.state !== 'revoked' && (
        <LinkActions share={share} policy={policy} titleId={titleId} onOpen={onOpen} />
      )}
    </li>
  );
}

/** How often a link was used. No one is identified. */
export function Counts({ share: { openCount, listenCount, lastListenedAt } }: { share: Share }) {
  const { number, relativeTime } = useFormat();
  const [opened, played] = [number(openCount), number(listenCount)];
  const when = lastListenedAt === null ? null : relativeTime(lastListenedAt);
  return (
    <span className={styles.counts}>
      <span>
        <Trans comment="How often the page of a link was opened">Opened: {opened}</Trans>
      </span>
      <span>
        <Trans comment="How often a link was listened to">Played: {played}</Trans>
      </span>
      {when !== null && (
        <span>
          <Trans>Last played: {when}</Trans>
        </span>
      )}
    </span>
  );
}

function LinkActions({
  share,
  policy,
  titleId,
  onOpen,
}: Pick<LinkItemProps, 'share' | 'policy' | 'onOpen'> & { titleId: string }) {
  const { t } = useLingui();
  const [isRevoking, setRevoking] = useState(false);
  const { date } = useFormat();
  const [nowMs] = useState(() => Date.now());
  const extend = useAction(async () => {
    const until = extendedUntil(share, policy, Date.now());
    if (until === null) return;
    await changeLink(share, { expiresAt: until });
    const day = date(until);
    showToast({ message: () => t`Link extended until ${day}`, tone: 'success' });
  });
  const turnOn = useAction(async () => void (await changeLink(share, { isOn: true })));
  return (
    <div className={styles.actions}>
      {share.url !== null && share.state === 'active' && (
        <CopyAddress url={share.url} describedBy={titleId} />
      )}
      {share.suspendedBy === 'restore' && (
        <Button
          variant="plain"
          icon={<Power aria-hidden />}
          aria-describedby={titleId}
          isPending={turnOn.isPending}
          onPress={turnOn.run}
        >
          <Trans>Turn on</Trans>
        </Button>
      )}
      <Button
        variant="plain"
        icon={<SlidersHorizontal aria-hidden />}
        aria-describedby={titleId}
        onPress={onOpen}
      >
        <Trans>Change</Trans>
      </Button>
      {extendedUntil(share, policy, nowMs) !== null && (
        <Button
          variant="plain"
          icon={<CalendarPlus aria-hidden />}
          aria-describedby={titleId}
          isPending={extend.isPending}
          onPress={extend.run}
        >
          <Trans comment="Button: a link works for longer">Extend</Trans>
        </Button>
      )}
      <Button
        variant="plain"
        data-ends
        icon={<Ban aria-hidden />}
        aria-describedby={titleId}
        onPress={() => setRevoking(true)}
      >
        <Trans>Revoke</Trans>
      </Button>
      {isRevoking && <RevokeDialog share={share} onClose={() => setRevoking(false)} />}
    </div>
  );
}
