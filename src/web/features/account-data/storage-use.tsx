import { msg } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { StorageReport } from '#contract/storage-api.ts';
import { call } from '#web/api/call.ts';
import { recordingKeys } from '#web/api/queries/query-client.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { QueryState } from '#web/request-states/query-state.tsx';
import { ShareBar } from '#web/ui/feedback/progress-bar.tsx';
import type { OnPurged } from './empty-trash.ts';
import { LargestRecordings } from './largest-recordings.tsx';
import { TrashUse } from './trash-use.tsx';
import { UnfinishedRecordings } from './unfinished-recordings.tsx';
import styles from './account-data.module.css';

/** Below the lists' key, because every change of the lists changes it too. */
const storageKey = [...recordingKeys.lists, 'storage'];

/** The user's storage on the server: the total, by year, and the largest recordings. */
export function StorageUse({ onPurged }: { onPurged: OnPurged }) {
  const { t } = useLingui();
  const answer = useQuery({
    queryKey: storageKey,
    queryFn: ({ signal }) => call('getStorage', { signal }),
    meta: { what: msg`On the server` },
  });
  const { data } = answer;
  return (
    <div className={styles.below}>
      <h2>
        <Trans>On the server</Trans>
      </h2>
      <QueryState of={storageKey} answer={answer} label={t`Checking your recordings…`} />
      {data && <Report report={data} onPurged={onPurged} />}
    </div>
  );
}

function Report({ report, onPurged }: { report: StorageReport; onPurged: OnPurged }) {
  return (
    <>
      <Total report={report} />
      {report.years.length > 0 && <Years years={report.years} />}
      {report.largest.length > 0 && <LargestRecordings largest={report.largest} />}
      {report.unfinished.count > 0 && <UnfinishedRecordings unfinished={report.unfinished} />}
      {report.trash.count > 0 && <TrashUse trash={report.trash} onPurged={onPurged} />}
    </>
  );
}

function Total({ report: { usedBytes, quotaBytes, isOverQuota, count } }: { report: StorageReport }) {
  const format = useFormat();
  const used = format.fileSize(usedBytes);
  const quota = quotaBytes === null ? null : format.fileSize(quotaBytes);
  return (
    <div className={styles.space}>
      <p>
        <Plural value={count} one="# recording" other="# recordings" />
        {', '}
        {quota === null ? (
          <Trans>{used} used</Trans>
        ) : (
          <Trans>
            {used} of {quota} used
          </Trans>
        )}
      </p>
      {quotaBytes !== null && <ShareBar share={usedBytes / Math.max(1, quotaBytes)} isOver={isOverQuota} />}
      {isOverQuota && (
        <p>
          <Trans>
            You’re over your storage limit. You can still record. To import files, free up some space.
          </Trans>
        </p>
      )}
    </div>
  );
}

function Years({ years }: { years: StorageReport['years'] }) {
  const { t } = useLingui();
  const format = useFormat();
  const max = Math.max(1, ...years.map(({ bytes }) => bytes));
  return (
    <section className={styles.section}>
      <h3>
        <Trans>By year</Trans>
      </h3>
      <ul aria-label={t`By year`} className={styles.rows}>
        {years.map(({ year, bytes, count }) => (
          <li key={year ?? 'unknown'} className={styles.row}>
            <p className={styles.line}>
              <span>
                {year === null ? <Trans>Date unknown</Trans> : format.number(year, { useGrouping: false })}
              </span>
              <span className={styles.meta}>
                <Plural value={count} one="# recording" other="# recordings" />, {format.fileSize(bytes)}
              </span>
            </p>
            <ShareBar share={bytes / max} />
          </li>
        ))}
      </ul>
    </section>
  );
}
