import { useState } from 'react';
import { Link2 } from 'lucide-react';
import { CopyByHand } from '#web/ui/controls/copy-by-hand.tsx';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { copyText } from '#web/ui/dom/copy-text.ts';
import { showToast } from '#web/ui/overlays/toast.tsx';

export interface CopyLinkProps {
  recordingId: string;
  label: string;
  /** Shown under the icon. */
  word?: string;
  /** The toast text after copying. */
  done: () => string;
  /** The fragment of the link, read when the button is pressed. */
  fragment: () => string;
  /** Offered in the toast. */
  action?: { label: () => string; onAction: () => void } | undefined;
}

/** Copies a link to a place in the recording. If the browser denies copying, shows the link instead. */
export function CopyLink({ recordingId, label, word, done, fragment, action }: CopyLinkProps) {
  const [address, setAddress] = useState<string | null>(null);
  const copy = async () => {
    const url = new URL(`/recordings/${recordingId}${fragment()}`, location.href).href;
    const isCopied = await copyText(url);
    setAddress(isCopied ? null : url);
    if (isCopied) showToast({ message: done, tone: 'success', ...(action && { action }) });
  };
  return (
    <>
      <IconButton
        label={label}
        {...(word === undefined ? {} : { word })}
        icon={<Link2 />}
        onPress={() => void copy()}
      />
      {address !== null && <CopyByHand url={address} />}
    </>
  );
}
