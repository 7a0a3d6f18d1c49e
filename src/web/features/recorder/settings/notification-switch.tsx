import { useState } from 'react';
import { Trans } from '@lingui/react/macro';
import { Switch } from '#web/ui/controls/switch.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { requestNotifications, canNotify, isNotifying } from '#web/features/recorder/notices/notification.ts';
import { audioPreferences } from '#web/features/recorder/audio-preferences.ts';
import styles from './settings.module.css';

/** Requests permission for notifications when it is switched on. It stays off if the browser denies that. */
export function NotificationSwitch() {
  const { notifyOfTrouble } = useStore(audioPreferences);
  const [isRejected, setRejected] = useState(false);
  if (!canNotify()) return null;
  const handleChange = async (isWanted: boolean) => {
    const isOn = isWanted && (await requestNotifications());
    setRejected(isWanted && !isOn);
    audioPreferences.change({ notifyOfTrouble: isOn });
  };
  return (
    <div>
      <Switch
        isSelected={isNotifying(notifyOfTrouble)}
        onChange={(isWanted) => {
          void handleChange(isWanted);
        }}
        description={
          <Trans>
            Get a notification if the microphone disconnects or no sound is detected while you’re doing
            something else.
          </Trans>
        }
      >
        <Trans>Notify me if a recording has a problem</Trans>
      </Switch>
      {isRejected && (
        <p className={styles.note} role="alert">
          <Trans>
            Your browser blocks notifications from this page. You can change that in its settings for this
            site.
          </Trans>
        </p>
      )}
    </div>
  );
}
