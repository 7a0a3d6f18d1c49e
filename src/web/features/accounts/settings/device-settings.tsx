import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import { useErrorMessage } from '#web/api/error-messages.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Spinner } from '#web/ui/feedback/spinner.tsx';
import { accountKeys } from '../account-keys.ts';
import { Rows, Section } from '../parts/section.tsx';
import { DeviceRow } from './device-row.tsx';
import { SignOutOthers } from './sign-out-others.tsx';
import styles from '../parts/settings.module.css';

/** Where the person is signed in, and how to end that from here. */
export function DeviceSettings() {
  const { t } = useLingui();
  const errorMessage = useErrorMessage();
  const queries = useQueryClient();
  const { data, error } = useQuery({ queryKey: accountKeys.devices, queryFn: ({ signal }) => call('listSessions', { signal }) });
  const reload = () => queries.invalidateQueries({ queryKey: accountKeys.devices });
  const devices = data?.items ?? [];
  return (
    <div className={styles.page}>
      <Section title={<Trans>Where you’re signed in</Trans>} hint={<Trans>Signing a device out takes effect within a second. If it’s recording, you can let that recording finish first.</Trans>}>
        {error && <Notice tone="danger" role="alert">{errorMessage(error)}</Notice>}
        {!data && !error && <Spinner label={t`Opening…`} />}
        {devices.length > 0 && <Rows>{devices.map((device) => <DeviceRow key={device.id} device={device} takes={data?.takes.filter((take) => take.sessionId === device.id) ?? []} onChanged={reload} />)}</Rows>}
        <SignOutOthers deviceCount={devices.length} takes={data?.takes ?? []} onChanged={reload} />
      </Section>
    </div>
  );
}
