import { AudioLines } from 'lucide-react';
import { Trans } from '@lingui/react/macro';
import styles from './drop-target.module.css';

/** Covers the whole window while files are dragged, so that they can be dropped anywhere. */
export function DropTarget() {
  return (
    <div className={styles.target} aria-hidden>
      <div className={styles.inside}>
        <AudioLines />
        <strong>
          <Trans>Drop files to import</Trans>
        </strong>
        <span>
          <Trans>Audio files, video files with sound, or whole folders.</Trans>
        </span>
      </div>
    </div>
  );
}
