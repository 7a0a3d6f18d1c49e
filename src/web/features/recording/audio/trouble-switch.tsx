import { useState } from 'react';
import { Trans } from '@lingui/react/macro';
import { Switch } from '#web/ui/controls/switch.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { askToNotify, canNotify, isNotifying } from '../alarms/notify-trouble.ts';
import { audioPreferences } from '../audio-preferences.ts';
import styles from './settings.module.css';

/** Asks for the permission to notify when it is switched on; stays off where the browser refuses. */
export function TroubleSwitch() {
  const { notifyOfTrouble } = useStore(audioPreferences);
  const [isRefused, setRefused] = useState(false);
  if (!canNotify()) return null;
  const handleChange = async (isWanted: boolean) => {
    const isOn = isWanted && await askToNotify();
    setRefused(isWanted && !isOn);
    audioPreferences.change({ notifyOfTrouble: isOn });
  };
  return (
    <div>
      <Switch isSelected={isNotifying(notifyOfTrouble)} onChange={(isWanted) => { void handleChange(isWanted); }} description={<Trans>A message of your system when the microphone is lost or nothing is heard while you look elsewhere.</Trans>}>
        <Trans>Notify me when a recording is in trouble</Trans>
      </Switch>
      {isRefused && <p className={styles.note} role="alert"><Trans>Your browser does not allow notifications from this page. You can change that in its settings for this site.</Trans></p>}
    </div>
  );
}
