import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { second } from '#base/duration.ts';
import { call } from '#web/api/call.ts';
import { accountKeys } from '#web/features/accounts/account-keys.ts';
import { Section } from '#web/features/accounts/parts/section.tsx';
import { QueryState } from '#web/request-states/query-state.tsx';
import { BackupsOverview } from './backups-overview.tsx';
import { FailedJobs } from './failed-jobs.tsx';
import {
  KnownFact,
  NodesSection,
  QueueSection,
  StoresSection,
  VerificationSection,
} from './status-facts.tsx';
import { StatusWarnings } from './status-warnings.tsx';
import { useIsOld } from './use-is-old.ts';
import styles from '#web/features/accounts/parts/settings.module.css';

/** While the page is visible. */
const refreshMs = 15 * second;
/** After a missed refresh the facts are not those of now. */
const oldAfterMs = 2 * refreshMs;

/** For administrators: what runs, and what needs attention. */
export function StatusSettings() {
  const { t } = useLingui();
  const answer = useQuery({
    queryKey: accountKeys.status,
    queryFn: ({ signal }) => call('getServerStatus', { signal }),
    refetchInterval: refreshMs,
    meta: { what: msg`Server status` },
  });
  const { data, dataUpdatedAt: checkedAtMs } = answer;
  const isOld = useIsOld(checkedAtMs, oldAfterMs);
  return (
    <div className={styles.page}>
      <QueryState of={accountKeys.status} answer={answer} label={t`Opening…`} />
      {data && (
        <>
          <StatusWarnings {...data} oldCheckMs={isOld ? checkedAtMs : null} />
          <FailedJobs />
          <NodesSection nodes={data.nodes} hasOtherClock={data.database.kind === 'postgres'} />
          <StoresSection {...data} />
          <QueueSection {...data} />
          <KnownFact
            of={data.backups}
            unknown={(reason) => <Section title={<Trans>Backups</Trans>}>{reason}</Section>}
          >
            {(backups) => <BackupsOverview backups={backups} />}
          </KnownFact>
          <VerificationSection {...data} />
        </>
      )}
    </div>
  );
}
