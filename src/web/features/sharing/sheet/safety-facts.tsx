import { Trans } from '@lingui/react/macro';
import styles from './sheet.module.css';

/** What a link can't protect, in plain words. */
export function SafetyFacts() {
  return (
    <details className={styles.details}>
      <summary>
        <Trans>How safe is this?</Trans>
      </summary>
      <ul className={styles.facts}>
        <li>
          <Trans>
            The server sends only the part you share. Nothing outside of it leaves the server, not even as a
            picture.
          </Trans>
        </li>
        <li>
          <Trans>Anyone who can listen can also record what comes out of the speaker.</Trans>
        </li>
        <li>
          <Trans>
            Downloads and previews in other apps are copies. Revoking a link doesn’t take them back.
          </Trans>
        </li>
        <li>
          <Trans>A voice can be recognised without a name.</Trans>
        </li>
        <li>
          <Trans>You, and the person who runs this server, can always listen to the recording.</Trans>
        </li>
      </ul>
    </details>
  );
}
