import { useCallback, useState } from 'react';
import { Trans } from '@lingui/react/macro';
import { Link2 } from 'lucide-react';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { copyText } from '#web/ui/dom/copy-text.ts';
import { showToast } from '#web/ui/overlays/toast.tsx';
import styles from './screen.module.css';

export interface CopyLinkProps {
  recordingId: string;
  label: string;
  /** Shown under the icon. */
  word?: string;
  /** The toast text after copying. */
  done: () => string;
  /** The fragment of the link, read when the button is pressed. */
  fragment: () => string;
}

/** Copies a link to a place in the recording. If the browser denies copying, shows the link instead. */
export function CopyLink({ recordingId, label, word, done, fragment }: CopyLinkProps) {
  const [address, setAddress] = useState<string | null>(null);
  const select = useCallback((input: HTMLInputElement | null) => input?.select(), []);
  const copy = async () => {
    const url = new URL(`/recordings/${recordingId}${fragment()}`, location.href).href;
    const isCopied = await copyText(url);
    setAddress(isCopied ? null : url);
    if (isCopied) showToast({ message: done, tone: 'success' });
  };
  return (
    <>
      <IconButton
        label={label}
        {...(word === undefined ? {} : { word })}
        icon={<Link2 />}
        onPress={() => void copy()}
      />
      {address !== null && (
        <label className={styles.address}>
          <Trans>Your browser doesn’t let Earshot copy. Copy this link yourself:</Trans>
          <input ref={select} readOnly dir="ltr" value={address} />
        </label>
      )}
    </>
  );
}
