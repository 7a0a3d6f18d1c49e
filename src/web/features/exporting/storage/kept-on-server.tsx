import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { StorageReport } from '#contract/storage-api.ts';
import { call } from '#web/api/call.ts';
import { useErrorMessage } from '#web/api/error-messages.ts';
import { recordingKeys } from '#web/api/query-client.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Spinner } from '#web/ui/feedback/spinner.tsx';
import { Bar } from '../bar.tsx';
import type { OnPurged } from './empty-trash.ts';
import { Largest } from './largest.tsx';
import { TrashOnServer } from './trash-on-server.tsx';
import { UnfinishedOnServer } from './unfinished-on-server.tsx';
import styles from '../exporting.module.css';

/** What the server keeps for whoever is signed in: how much, since when, and what takes most room. */
export function KeptOnServer({ onPurged }: { onPurged: OnPurged }) {
  const { t } = useLingui();
  const messageOf = useErrorMessage();
  // Under the key of the lists: what changes them changes this.
  const { data, error, refetch } = useQuery({ queryKey: [...recordingKeys.lists, 'storage'], queryFn: ({ signal }) => call('getStorage', { signal }) });
  return (
    <div className={styles.below}>
      <h2><Trans>On the server</Trans></h2>
      {error && <Notice tone="warn" role="alert" action={<Button onPress={() => void refetch()}><Trans>Try again</Trans></Button>}>{messageOf(error)}</Notice>}
      {!data && !error && <Spinner label={t`Checking your recordings…`} />}
      {data && <Report report={data} onPurged={onPurged} />}
    </div>
  );
}

function Report({ report, onPurged }: { report: StorageReport; onPurged: OnPurged }) {
  return (
    <>
      <Total report={report} />
      {report.years.length > 0 && <Years years={report.years} />}
      {report.largest.length > 0 && <Largest largest={report.largest} />}
      {report.unfinished.count > 0 && <UnfinishedOnServer unfinished={report.unfinished} />}
      {report.trash.count > 0 && <TrashOnServer trash={report.trash} onPurged={onPurged} />}
    </>
  );
}

function Total({ report: { usedBytes, quotaBytes, isOverQuota, count } }: { report: StorageReport }) {
  const format = useFormat();
  const used = format.fileSize(usedBytes);
  const quota = quotaBytes === null ? null : format.fileSize(quotaBytes);
  return (
    <div className={styles.room}>
      <p>
        <Plural value={count} one="# recording" other="# recordings" />{', '}
        {quota === null ? <Trans>{used} used</Trans> : <Trans>{used} of {quota} used</Trans>}
      </p>
      {quotaBytes !== null && <Bar share={usedBytes / Math.max(1, quotaBytes)} isOver={isOverQuota} />}
      {isOverQuota && <p><Trans>You’re over your storage limit. You can still record. To import files, free up some space.</Trans></p>}
    </div>
  );
}

function Years({ years }: { years: StorageReport['years'] }) {
  const { t } = useLingui();
  const format = useFormat();
  const most = Math.max(1, ...years.map(({ bytes }) => bytes));
  return (
    <section className={styles.section}>
      <h3><Trans>By year</Trans></h3>
      <ul aria-label={t`By year`} className={styles.rows}>
        {years.map(({ year, bytes, count }) => (
          <li key={year ?? 'unknown'} className={styles.row}>
            <p className={styles.line}><span>{year === null ? <Trans>Date unknown</Trans> : format.number(year, { useGrouping: false })}</span><span className={styles.meta}><Plural value={count} one="# recording" other="# recordings" />, {format.fileSize(bytes)}</span></p>
            <Bar share={bytes / most} />
          </li>
        ))}
      </ul>
    </section>
  );
}
