import { useState } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Share2 } from 'lucide-react';
import type { Share, SharingPolicy } from '#contract/shares.ts';
import { RecordingTitle } from '#web/recordings/time/recording-title.tsx';
import { titleText, type Titled } from '#web/recordings/time/title-text.ts';
import { QueryState } from '#web/request-states/query-state.tsx';
import { UnreachableNotice } from '#web/request-states/unreachable-notice.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { Select } from '#web/ui/controls/select.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { Spinner } from '#web/ui/feedback/spinner.tsx';
import { PageHeader } from '#web/ui/text/page-header.tsx';
import { UserText } from '#web/ui/text/user-text.tsx';
import { openShareSheet } from '#web/features/sharing/signs/open-sheet.ts';
import { allLinks } from '#web/features/sharing/links/share-queries.ts';
import { shareKeys } from '#web/api/queries/query-client.ts';
import { linkNumbers } from './link-names.ts';
import { groupLinks, type LinkGroup, type LinkGrouping } from './group-links.ts';
import { LinkItem } from './link-item.tsx';
import { RevokeAllButton } from './revoke-all.tsx';
import styles from './links.module.css';

/** More groups than this are shown on request. */
const groupsAtATime = 50;

export interface SharedScreenProps {
  session: 'unknown' | 'signed-out' | 'signed-in';
  /** The session is unknown, because the server can't be reached. */
  isCutOff: boolean;
  onSignIn: () => void;
}

/** All links that the user gave, by recording or by recipient. */
export function SharedScreen({ session, isCutOff, onSignIn }: SharedScreenProps) {
  const { t } = useLingui();
  const [by, setBy] = useState<LinkGrouping>('recording');
  const [groupCount, setGroupCount] = useState(groupsAtATime);
  const answer = useQuery({ ...allLinks, enabled: session === 'signed-in' });
  const items = answer.data?.items ?? [];
  const groups = groupLinks(items, by);
  const numbers = linkNumbers(items);
  const hasWorking = items.some(({ state }) => state !== 'revoked');
  return (
    <>
      <PageHeader title={<Trans>Shared</Trans>} actions={hasWorking && <RevokeAllButton />} />
      {session === 'signed-in' ? (
        <QueryState of={shareKeys.all} answer={answer} label={t`Opening…`} />
      ) : (
        <NoSession session={session} isCutOff={isCutOff} onSignIn={onSignIn} />
      )}
      {answer.data && items.length === 0 && <NothingShared />}
      {items.length > 0 && (
        <Select
          label={t`Group by`}
          labelHidden
          look="chip"
          value={by}
          options={[
            { value: 'recording', label: t`By recording` },
            { value: 'recipient', label: t`By name` },
          ]}
          onChange={setBy}
          className={styles.grouping}
        />
      )}
      {answer.data &&
        groups
          .slice(0, groupCount)
          .map((group) => (
            <Group key={group.key} group={group} by={by} policy={answer.data.policy} numbers={numbers} />
          ))}
      {groups.length > groupCount && (
        <Button onPress={() => setGroupCount(groupCount + groupsAtATime)}>{t`Show more`}</Button>
      )}
    </>
  );
}

function NoSession({ session, isCutOff, onSignIn }: SharedScreenProps) {
  const { t } = useLingui();
  if (isCutOff)
    return (
      <UnreachableNotice>
        <Trans>Can’t reach the server, so your links can’t be shown. They keep working.</Trans>
      </UnreachableNotice>
    );
  if (session === 'unknown') return <Spinner label={t`Opening…`} />;
  return (
    <EmptyState icon={<Share2 />} action={<Button variant="primary" onPress={onSignIn}>{t`Sign in`}</Button>}>
      <Trans>Sign in to share recordings and to see your links.</Trans>
    </EmptyState>
  );
}

function NothingShared() {
  return (
    <EmptyState icon={<Share2 />} title={<Trans>You haven’t shared anything</Trans>}>
      <Trans>Open a recording and select Share. You decide what others can listen to, and until when.</Trans>
    </EmptyState>
  );
}

interface GroupProps {
  group: LinkGroup;
  by: LinkGrouping;
  policy: SharingPolicy;
  /** The number of each link, by id. */
  numbers: ReadonlyMap<string, number>;
}

function Group({ group: { key, links }, by, policy, numbers }: GroupProps) {
  const [first] = links;
  if (!first) return null;
  return (
    <section className={styles.group}>
      <h2 className={styles.heading}>
        {by === 'recording' ? (
          <RecordingLink share={first} />
        ) : key === '' ? (
          <Trans>No name</Trans>
        ) : (
          <UserText>{key}</UserText>
        )}
      </h2>
      <ul className={styles.list}>
        {links.map((share) => (
          <LinkItem
            key={share.id}
            share={share}
            policy={policy}
            isGrowing={null}
            number={numbers.get(share.id) ?? 1}
            recording={by === 'recipient' ? <RecordingLink share={share} /> : undefined}
            onOpen={() => openShareSheet(targetOf(share), { shareId: share.id })}
          />
        ))}
      </ul>
    </section>
  );
}

/** What is not known here of the recording, the server checks. */
const titledOf = ({ recordingTitle: title, recordedTime }: Share): Titled => ({ title, recordedTime });

const targetOf = (share: Share) => ({
  recordingId: share.recordingId,
  title: titleText(titledOf(share)),
  isGrowing: null,
  durationMs: null,
  span: null,
});

function RecordingLink({ share }: { share: Share }) {
  return (
    <Link href={`/recordings/${share.recordingId}`}>
      <RecordingTitle of={titledOf(share)} />
    </Link>
  );
}
