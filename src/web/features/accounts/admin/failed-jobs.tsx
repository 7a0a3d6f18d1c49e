import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { accountKeys } from '#web/features/accounts/account-keys.ts';
import { SettingsItem, SettingsList, Section } from '#web/features/accounts/parts/section.tsx';
import { useAction } from '#web/request-states/use-action.ts';
import { useInstallation } from './use-installation.ts';

/**
 * For administrators: jobs that are not retried automatically, each with a button to retry it. Renders nothing if
 * there are none.
 */
export function FailedJobs() {
  const { t } = useLingui();
  const { dateTime } = useFormat();
  const client = useQueryClient();
  const retry = useAction(async (jobId: string) => {
    await call('retryJob', { params: { jobId } });
    await client.invalidateQueries({ queryKey: accountKeys.installation });
    await client.invalidateQueries({ queryKey: accountKeys.status });
  });
  const jobs = useInstallation()?.failedJobs ?? [];
  if (jobs.length === 0) return null;
  return (
    <Section
      title={<Trans>Failed jobs</Trans>}
      hint={
        <Trans>
          These jobs failed or were stopped, and the server won’t run them again automatically. Their
          recordings are saved.
        </Trans>
      }
    >
      <SettingsList>
        {jobs.map(({ id, kind, at, reason }) => (
          <SettingsItem
            key={id}
            title={
              <bdi dir="ltr" translate="no">
                {kind}
              </bdi>
            }
            actions={
              <Button
                variant="plain"
                isPending={retry.isPending}
                aria-label={`${t`Try again`}: ${kind}`}
                onPress={() => retry.run(id)}
              >{t`Try again`}</Button>
            }
          >
            {dateTime(at)} ·{' '}
            <bdi dir="ltr" lang="en" translate="no">
              {reason}
            </bdi>
          </SettingsItem>
        ))}
      </SettingsList>
    </Section>
  );
}
