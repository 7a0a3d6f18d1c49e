import { Trans } from '@lingui/react/macro';
import type { ServerStatus } from '#contract/server-status-api.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { SettingsItem, SettingsList, Section } from '#web/features/accounts/parts/section.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';

type BackupFacts = NonNullable<ServerStatus['backups']['value']>;

/** A reason that the server wrote for its operator, in English. */
function Reason({ text }: { text: string }) {
  return (
    <p>
      <bdi dir="ltr" lang="en" translate="no">
        {text}
      </bdi>
    </p>
  );
}

/** The last attempt, which failed. */
function Failure({ at, reason }: NonNullable<BackupFacts['failure']>) {
  const failedAt = useFormat().dateTime(at);
  return (
    <>
      <p>
        <Trans>The last backup failed: {failedAt}.</Trans>
      </p>
      <Reason text={reason} />
    </>
  );
}

/** What is wrong with the newest backup. */
function Problems({ damagedCount, problem }: NonNullable<BackupFacts['newest']>) {
  return (
    <>
      {damagedCount > 0 && (
        <p>
          <Trans>Missing or damaged files: {damagedCount}.</Trans>
        </p>
      )}
      {problem !== null && <Reason text={problem} />}
    </>
  );
}

/** What is wrong with the backups. Renders nothing if they are fine. */
export function BackupProblems({ newest, failure, isOverdue }: BackupFacts) {
  const hasProblems = newest !== null && (newest.damagedCount > 0 || newest.problem !== null);
  if (failure === null && !isOverdue && !hasProblems) return null;
  return (
    <Notice tone="danger" role="alert">
      {failure && <Failure {...failure} />}
      {isOverdue && (
        <p>
          <Trans>Scheduled backups aren’t being made.</Trans>
        </p>
      )}
      {hasProblems && <Problems {...newest} />}
    </Notice>
  );
}

/** The newest backup, with its age and size. */
function NewestBackup({ newest }: { newest: NonNullable<BackupFacts['newest']> }) {
  const { fileSize, relativeTime } = useFormat();
  const age = relativeTime(newest.startedAt);
  const [size, added] = [fileSize(newest.sizeBytes), fileSize(newest.copiedBytes)];
  const verified = newest.verifiedAt && relativeTime(newest.verifiedAt);
  return (
    <SettingsItem title={<Trans>Last backup: {age}</Trans>}>
      <Trans>
        Size: {size}, of which new: {added}
      </Trans>
      {' · '}
      {verified === null ? <Trans>Not verified yet</Trans> : <Trans>Verified: {verified}</Trans>}
      {' · '}
      <bdi dir="ltr" translate="no">
        {newest.place}
      </bdi>
    </SettingsItem>
  );
}

/** For administrators: the backups of this server. */
export function BackupsOverview({ backups }: { backups: BackupFacts }) {
  const { duration } = useFormat();
  const every = backups.everyMs === null ? null : duration(backups.everyMs);
  return (
    <Section
      title={<Trans>Backups</Trans>}
      hint={
        every === null ? (
          <Trans>No backups are scheduled. To schedule them, set BACKUP_TO on the server.</Trans>
        ) : (
          <Trans>Time between backups: {every}. They don’t contain the secret key.</Trans>
        )
      }
    >
      <SettingsList>
        {backups.newest ? (
          <NewestBackup newest={backups.newest} />
        ) : (
          <SettingsItem title={<Trans>There’s no backup yet.</Trans>} />
        )}
        {backups.isRunning && <SettingsItem title={<Trans>A backup is in progress.</Trans>} />}
      </SettingsList>
    </Section>
  );
}
