import { useLingui } from '@lingui/react/macro';
import { Copy } from 'lucide-react';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { copyText } from '#web/ui/dom/copy-text.ts';
import { showToast } from '#web/ui/overlays/toast.tsx';
import styles from './details.module.css';

/** A shortened SHA-256 with a button that copies all of it. */
export function Fingerprint({ sha256 }: { sha256: string }) {
  const { t } = useLingui();
  const copy = async () => {
    if (await copyText(sha256)) showToast({ message: () => t`SHA-256 copied`, tone: 'success' });
    else showToast({ message: () => sha256 });
  };
  return (
    <span className={styles.fingerprint}>
      <code dir="ltr" title={sha256}>
        {sha256.slice(0, 8)}…{sha256.slice(-4)}
      </code>
      <IconButton label={t`Copy SHA-256`} icon={<Copy />} onPress={() => void copy()} />
    </span>
  );
}
