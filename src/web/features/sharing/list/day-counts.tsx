import { useId, useState } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { Share } from '#contract/shares.ts';
import { QueryState } from '#web/request-states/query-state.tsx';
import { useFormat } from '#web/i18n/use-format.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { daysOfLink, type DayCount } from '#web/features/sharing/links/share-queries.ts';
import styles from './days.module.css';

/** More days than this are shown on request. */
const daysAtATime = 14;

/** How often a link was used on each day, loaded when it is opened. Nothing for a link that no one opened. */
export function DayCounts({ share }: { share: Share }) {
  const [isOpen, setOpen] = useState(false);
  if (share.openCount + share.listenCount === 0) return null;
  return (
    <details className={styles.days} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <Trans comment="Shows how often a link was opened and played on each day">By day</Trans>
      </summary>
      {isOpen && <LoadedDays shareId={share.id} />}
    </details>
  );
}

function LoadedDays({ shareId }: { shareId: string }) {
  const { t } = useLingui();
  const query = daysOfLink(shareId);
  const answer = useQuery(query);
  return answer.data ? (
    <DayTable days={answer.data.items} />
  ) : (
    <QueryState of={query.queryKey} answer={answer} label={t`Opening…`} />
  );
}

/** A row for each day, the newest first. A bar shows the listens of a day beside the most of all days. */
export function DayTable({ days }: { days: readonly DayCount[] }) {
  const { t } = useLingui();
  const { date, number } = useFormat();
  const [shownCount, setShownCount] = useState(daysAtATime);
  const noteId = useId();
  const max = Math.max(1, ...days.map(({ listenCount }) => listenCount));
  const newestFirst = days.toReversed();
  return (
    <>
      <table className={styles.table} aria-describedby={noteId}>
        <thead>
          <tr>
            <th scope="col">{t`Date`}</th>
            <th scope="col">
              {t({ message: 'Opened', comment: 'Heading: how often a link was opened on a day' })}
            </th>
            <th scope="col">
              {t({ message: 'Played', comment: 'Heading: how often a link was listened to on a day' })}
            </th>
            <th scope="col">
              {t({
                message: 'To the end',
                comment: 'Heading: how often a link was listened to until the end',
              })}
            </th>
          </tr>
        </thead>
        <tbody>
          {newestFirst.slice(0, shownCount).map(({ day, openCount, listenCount, wholeListenCount }) => (
            <tr key={day}>
              {/* Midnight of the reader's zone, so that the day keeps its name. */}
              <th scope="row">{date(`${day}T00:00`)}</th>
              <td>{number(openCount)}</td>
              <td>
                <span className={styles.listens}>
                  {number(listenCount)}
                  {listenCount > 0 && (
                    <span
                      aria-hidden
                      className={styles.bar}
                      style={{ '--share': `${(listenCount / max) * 100}%` }}
                    />
                  )}
                </span>
              </td>
              <td>{number(wholeListenCount)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p id={noteId} className={styles.note}>
        <Trans>Days are counted in UTC.</Trans>
      </p>
      {newestFirst.length > shownCount && (
        <Button onPress={() => setShownCount(shownCount + daysAtATime)}>{t`Show more`}</Button>
      )}
    </>
  );
}
