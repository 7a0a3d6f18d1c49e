import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import { QueryState } from '#web/request-states/query-state.tsx';
import { accountKeys } from '#web/features/accounts/account-keys.ts';
import { SettingsList, Section } from '#web/features/accounts/parts/section.tsx';
import { DeviceListItem } from './device-list-item.tsx';
import { SignOutOthers } from './sign-out-others.tsx';
import styles from '#web/features/accounts/parts/settings.module.css';

/** The devices on which the user is signed in, with buttons to sign them out. */
export function DeviceSettings() {
  const { t } = useLingui();
  const queries = useQueryClient();
  const answer = useQuery({
    queryKey: accountKeys.devices,
    queryFn: ({ signal }) => call('listSessions', { signal }),
    meta: { what: msg`Where you’re signed in` },
  });
  const { data } = answer;
  const reload = () => queries.invalidateQueries({ queryKey: accountKeys.devices });
  const devices = data?.items ?? [];
  return (
    <div className={styles.page}>
      <Section
        title={<Trans>Where you’re signed in</Trans>}
        hint={
          <Trans>
            Signing a device out takes effect within a second. If it’s recording, you can let that recording
            finish first.
          </Trans>
        }
      >
        <QueryState of={accountKeys.devices} answer={answer} label={t`Opening…`} />
        {devices.length > 0 && (
          <SettingsList>
            {devices.map((device) => (
              <DeviceListItem
                key={device.id}
                device={device}
                takes={data?.takes.filter((take) => take.sessionId === device.id) ?? []}
                onChanged={reload}
              />
            ))}
          </SettingsList>
        )}
        <SignOutOthers deviceCount={devices.length} takes={data?.takes ?? []} onChanged={reload} />
      </Section>
    </div>
  );
}
