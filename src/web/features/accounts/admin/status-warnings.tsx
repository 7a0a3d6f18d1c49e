import { Trans } from '@lingui/react/macro';
import type { ServerStatus, StatusWarning } from '#contract/server-status-api.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { BackupProblems } from './backups-overview.tsx';
import { DiskNotice, ProxyNotice } from './installation-notices.tsx';
import { HotBytes, roughMs, Technical } from './status-facts.tsx';

type NoticedCode =
  | 'disk-reserve-used'
  | 'proxy-mismatch'
  | 'backup-failed'
  | 'backup-overdue'
  | 'backup-incomplete';
type NodeWarningCode = 'disk-nearly-full' | 'node-silent' | 'clock-differs';
type MissingCode = 'backup-missing' | 'verification-missing' | 'jobs-waiting';
type Listed = Exclude<StatusWarning, { code: NoticedCode }>;

const ownNotices: ReadonlySet<string> = new Set<NoticedCode>([
  'disk-reserve-used',
  'proxy-mismatch',
  'backup-failed',
  'backup-overdue',
  'backup-incomplete',
]);

/** What is missing or late, while nothing has failed. */
const amberCodes: ReadonlySet<string> = new Set<StatusWarning['code']>([
  'backup-missing',
  'verification-missing',
  'jobs-waiting',
]);

/** Whether a warning has no notice of its own. */
const isListed = (warning: StatusWarning): warning is Listed => !ownNotices.has(warning.code);

/** A warning about one node. */
function NodeWarning({ warning }: { warning: Extract<Listed, { code: NodeWarningCode }> }) {
  const { fileSize, duration } = useFormat();
  if (warning.code === 'disk-nearly-full') {
    const free = fileSize(warning.freeBytes);
    return <Trans>The disk is almost full. Free: {free}</Trans>;
  }
  if (warning.code === 'node-silent') {
    const length = duration(roughMs(warning.silentMs));
    return <Trans>No heartbeat for {length}</Trans>;
  }
  const difference = duration(warning.differenceMs);
  return <Trans>Clock difference: {difference}</Trans>;
}

/** A command of this product, which no language translates. */
const Command = ({ children }: { children: string }) => (
  <bdi dir="ltr" translate="no">
    <code>{children}</code>
  </bdi>
);

/** What is missing, and the one thing to do about it. */
function MissingWarning({ warning }: { warning: Extract<Listed, { code: MissingCode }> }) {
  const { duration } = useFormat();
  if (warning.code === 'jobs-waiting') {
    const length = duration(roughMs(warning.waitingMs));
    return (
      <Trans>
        A job has been waiting for {length}. Look for errors in the server’s log, or start another server that
        runs jobs.
      </Trans>
    );
  }
  if (warning.code === 'verification-missing')
    return (
      <Trans>
        The stored files have never been verified completely. To verify them now, run{' '}
        <Command>npm run earshot -- verify</Command> on the server.
      </Trans>
    );
  return warning.isScheduled ? (
    <Trans>
      There’s no backup of this server yet. To make one now, run{' '}
      <Command>npm run earshot -- backup PLACE</Command> on the server.
    </Trans>
  ) : (
    <Trans>
      There’s no backup of this server. To schedule backups, set <Command>BACKUP_TO</Command> on the server.
    </Trans>
  );
}

function InstallationWarning({ warning }: { warning: Exclude<Listed, { code: NodeWarningCode }> }) {
  const { number } = useFormat();
  const { code } = warning;
  switch (warning.code) {
    case 'database-unreachable':
      return <Trans>The database isn’t responding.</Trans>;
    case 'store-unreachable':
      return <Trans>The storage for recordings isn’t responding.</Trans>;
    case 'recordings-damaged': {
      const damaged = number(warning.count);
      return <Trans>Damaged files of recordings: {damaged}</Trans>;
    }
    case 'jobs-failed': {
      const failed = number(warning.count);
      return <Trans>Failed jobs: {failed}</Trans>;
    }
    case 'backup-missing':
    case 'verification-missing':
    case 'jobs-waiting':
      return <MissingWarning warning={warning} />;
    case 'hot-nearly-full':
      return <HotBytes {...warning} />;
    case 'versions-differ':
      return (
        <>
          <Trans>Different versions have been running for more than an hour:</Trans>{' '}
          <Technical>{warning.versions.join(', ')}</Technical>
        </>
      );
    default:
      // A newer server has warnings that this page does not know.
      return <Technical>{code}</Technical>;
  }
}

function Warning({ warning }: { warning: Listed }) {
  if (!('host' in warning)) return <InstallationWarning warning={warning} />;
  return (
    <>
      <Technical>{warning.host}</Technical>: <NodeWarning warning={warning} />
    </>
  );
}

/** Says that the server has not responded for a while, and when the facts on the page were checked. */
function OldFacts({ checkedAtMs }: { checkedAtMs: number }) {
  const time = useFormat().dateTime(checkedAtMs);
  return (
    <Notice tone="warn">
      <Trans>This page isn’t up to date. Last checked: {time}</Trans>
    </Notice>
  );
}

/**
 * What needs the administrator, or that no problem was found, if everything is known.
 * @param props.oldCheckMs when the facts were checked, in Unix milliseconds, if they are not those of now
 */
export function StatusWarnings({
  warnings,
  isComplete,
  backups,
  oldCheckMs,
}: ServerStatus & { oldCheckMs: number | null }) {
  const listed = warnings.filter(isListed);
  return (
    <>
      {oldCheckMs !== null && <OldFacts checkedAtMs={oldCheckMs} />}
      <DiskNotice />
      <ProxyNotice />
      {backups.value && <BackupProblems {...backups.value} />}
      {listed.map((warning, index) => (
        <Notice key={`${warning.code} ${index}`} tone={amberCodes.has(warning.code) ? 'warn' : 'danger'}>
          <Warning warning={warning} />
        </Notice>
      ))}
      {!isComplete && (
        <Notice tone="warn">
          <Trans>Not everything could be checked.</Trans>
        </Notice>
      )}
      {warnings.length === 0 && isComplete && oldCheckMs === null && (
        <Notice tone="safe">
          <Trans>No problems found.</Trans>
        </Notice>
      )}
    </>
  );
}
