import { Trans } from '@lingui/react/macro';
import styles from './settings.module.css';

/** Only Safari on iOS and iPadOS has `navigator.standalone`; it is true in an app on the home screen. */
const isInstalledOnIos = (): boolean => Reflect.get(navigator, 'standalone') === true;

/** Before a take in the installed app on iOS. The sources are in docs/reliability.md. */
export function LockedScreenHint() {
  if (!isInstalledOnIos()) return null;
  return (
    <p className={styles.note}>
      <Trans>
        When the screen locks, this app may stop recording. Recording continues in a tab of Safari.
      </Trans>
    </p>
  );
}
