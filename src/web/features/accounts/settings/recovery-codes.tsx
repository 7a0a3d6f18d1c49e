import { Trans } from '@lingui/react/macro';
import { Download } from 'lucide-react';
import { Button } from '#web/ui/controls/button.tsx';
import { saveFile } from '#web/ui/dom/save-file.ts';
import { CopyButton } from '#web/ui/controls/copy-button.tsx';
import styles from '#web/features/accounts/parts/settings.module.css';

/** The new recovery codes, shown only once, because the server stores only what it needs to verify them. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const text = codes.join('\n');
  const handleSave = () =>
    saveFile(new Blob([`${text}\n`], { type: 'text/plain' }), 'earshot-recovery-codes.txt');
  return (
    <div className={styles.form}>
      <p>
        <Trans>
          If you lose your phone, you can use each of these codes once instead of your app. Keep them
          somewhere safe. You won’t see them again.
        </Trans>
      </p>
      <div className={styles.key}>
        <ul dir="ltr" className={styles.codes}>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
      </div>
      <div className={styles.dialogButtons}>
        <CopyButton text={text} />
        <Button icon={<Download aria-hidden />} onPress={handleSave}>
          <Trans>Save to a file</Trans>
        </Button>
        <Button variant="primary" onPress={onDone}>
          <Trans>I’ve saved them</Trans>
        </Button>
      </div>
    </div>
  );
}
