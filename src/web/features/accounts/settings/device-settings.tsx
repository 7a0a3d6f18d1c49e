import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import { useErrorMessage } from '#web/api/error-messages.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Spinner } from '#web/ui/feedback/spinner.tsx';
import { showToast } from '#web/ui/overlays/toast.tsx';
import { accountKeys } from '../account-keys.ts';
import { Rows, Section } from '../parts/section.tsx';
import { useAction } from '../parts/use-action.ts';
import { DeviceRow } from './device-row.tsx';
import styles from '../parts/settings.module.css';

/** Where the person is signed in, and how to end that from here. */
export function DeviceSettings() {
  const { t } = useLingui();
  const errorMessage = useErrorMessage();
  const queries = useQueryClient();
  const { data, error } = useQuery({ queryKey: accountKeys.devices, queryFn: ({ signal }) => call('listSessions', { signal }) });
  const reload = () => queries.invalidateQueries({ queryKey: accountKeys.devices });
  const endOthers = useAction(async () => {
    await call('endOtherSessions');
    await reload();
    showToast({ message: t`You are signed out everywhere else.`, tone: 'success' });
  });
  const devices = data?.items ?? [];
  return (
    <div className={styles.page}>
      <Section title={<Trans>Where you are signed in</Trans>} hint={<Trans>A device you sign out stops within a second. A recording that runs there goes on and arrives.</Trans>}>
        {error && <Notice tone="danger" role="alert">{errorMessage(error)}</Notice>}
        {!data && !error && <Spinner label={t`Opening…`} />}
        {devices.length > 0 && <Rows>{devices.map((device) => <DeviceRow key={device.id} device={device} onChanged={reload} />)}</Rows>}
        {devices.length > 1 && <Button variant="danger" isPending={endOthers.isPending} onPress={() => endOthers.run()}>{t`Sign out everywhere else`}</Button>}
      </Section>
    </div>
  );
}
