import { Trans } from '@lingui/react/macro';
import { Button } from '#web/ui/controls/button.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { importer } from '../importing.ts';
import type { ImportRow } from '../run/import-row.ts';
import styles from './import-tray.module.css';

/** Asks at once about all files that nobody here could look into; each row asks about its own. */
export function UnreadFiles({ rows }: { rows: readonly ImportRow[] }) {
  const unread = rows.filter(({ state }) => state.step === 'unread').map(({ id }) => id);
  if (unread.length < 2) return null;
  return (
    <Notice tone="info" className={styles.notice}>
      <p><Trans>Earshot couldn’t read these files. Upload them anyway?</Trans></p>
      <div className={styles.choices}>
        <Button variant="primary" onPress={() => unread.forEach(importer.insist)}><Trans>Upload all</Trans></Button>
        <Button variant="plain" onPress={() => unread.forEach(importer.dismiss)}><Trans>Upload none</Trans></Button>
      </div>
    </Notice>
  );
}
