import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { QueryState } from '#web/request-states/query-state.tsx';
import { accountKeys } from '#web/features/accounts/account-keys.ts';
import { Section } from '#web/features/accounts/parts/section.tsx';
import { SharingRules } from './sharing-rules.tsx';
import { LinksOfEveryone } from './links-of-everyone.tsx';
import styles from '#web/features/accounts/parts/settings.module.css';

/** For administrators: what users may share, and the links that exist. */
export function SharingSettings() {
  const { t } = useLingui();
  const { number } = useFormat();
  const answer = useQuery({
    queryKey: accountKeys.sharing,
    queryFn: ({ signal }) => call('getSharingPolicy', { signal }),
    meta: { what: msg`Sharing` },
  });
  const { data } = answer;
  const suspended = number(data?.suspendedCount ?? 0);
  return (
    <div className={styles.page}>
      <Section
        title={<Trans>Sharing</Trans>}
        hint={
          <Trans>
            What people may share by links. Links that break a rule are suspended, not deleted, and work again
            once the rule allows them.
          </Trans>
        }
      >
        <QueryState of={accountKeys.sharing} answer={answer} label={t`Opening…`} />
        {data && data.suspendedCount > 0 && (
          <p>
            <Trans>Links suspended by these rules: {suspended}</Trans>
          </p>
        )}
        {data && <SharingRules key={JSON.stringify(data.policy)} policy={data.policy} />}
      </Section>
      <LinksOfEveryone />
    </div>
  );
}
