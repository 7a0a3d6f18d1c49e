import { useState } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { Laptop } from 'lucide-react';
import type { Device, RunningTakeOf } from '#contract/credentials-api.ts';
import { call } from '#web/api/call.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { showToast } from '#web/ui/overlays/toast.tsx';
import { useProviders } from '#web/features/accounts/providers/use-providers.ts';
import { useMethodNames } from '#web/features/accounts/parts/use-method-names.ts';
import { useFinishTakes } from '#web/features/accounts/parts/finish-takes.tsx';
import { SettingsItem } from '#web/features/accounts/parts/section.tsx';
import { useAction } from '#web/request-states/use-action.ts';
import { SignOutDialog } from './sign-out-dialog.tsx';
import styles from '#web/features/accounts/parts/settings.module.css';

/** A device on which the user is signed in. */
export function DeviceListItem({
  device,
  takes,
  onChanged,
}: {
  device: Device;
  takes: readonly RunningTakeOf[];
  onChanged: () => Promise<void>;
}) {
  const { t } = useLingui();
  const { dateTime, relativeTime, list } = useFormat();
  const nameOf = useMethodNames(useProviders());
  const [isConfirming, setConfirming] = useState(false);
  const finished = useFinishTakes(takes);
  const end = useAction(async () => {
    await call('endSession', {
      params: { sessionId: device.id },
      query: { finishTakes: finished.finishTakesOf.includes(device.id) ? 'true' : 'false' },
    });
    await onChanged();
    showToast({ message: () => t`Signed out on that device.` });
  });
  const name = device.label === '' ? t`Unknown device` : device.label;
  const how = list(device.method.split('+').map(nameOf));
  const [since, seen] = [dateTime(device.createdAt), relativeTime(device.lastSeenAt)];
  return (
    <SettingsItem
      icon={<Laptop />}
      title={
        <>
          <bdi translate="no">{name}</bdi>
          {device.isCurrent && (
            <span className={styles.badge}>
              <Trans>This device</Trans>
            </span>
          )}
          {device.isShared && (
            <span className={styles.badge}>
              <Trans>Shared computer</Trans>
            </span>
          )}
        </>
      }
      actions={
        !device.isCurrent && (
          <Button
            variant="plain"
            data-ends={takes.length === 0 || undefined}
            isPending={end.isPending}
            aria-label={t`Sign out ${name}`}
            onPress={() => {
              if (takes.length > 0) setConfirming(true);
              else end.run();
            }}
          >{t`Sign out`}</Button>
        )
      }
    >
      <Trans>
        Signed in {since} with {how}. Last active {seen}, from{' '}
        <bdi dir="ltr" translate="no">
          {device.ipPrefix}
        </bdi>
        .
      </Trans>
      {isConfirming && (
        <SignOutDialog
          title={t`Sign out ${name}?`}
          action={t`Sign out`}
          takes={finished}
          onConfirm={() => end.run()}
          onClose={() => setConfirming(false)}
        />
      )}
    </SettingsItem>
  );
}
