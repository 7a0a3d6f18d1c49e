import { useState } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { Copy } from 'lucide-react';
import { Button } from '#web/ui/controls/button.tsx';
import { CopyByHand } from '#web/ui/controls/copy-by-hand.tsx';
import { showToast } from '#web/ui/overlays/toast.tsx';
import { copyText } from '#web/ui/dom/copy-text.ts';

/** Copies the address of a link. If the browser denies copying, shows the address instead. */
export function CopyAddress({ url, describedBy }: { url: string; describedBy?: string }) {
  const { t } = useLingui();
  const [isDenied, setDenied] = useState(false);
  const copy = async () => {
    const isCopied = await copyText(url);
    setDenied(!isCopied);
    if (isCopied) showToast({ message: () => t`Link copied`, tone: 'success' });
  };
  return (
    <>
      <Button icon={<Copy aria-hidden />} aria-describedby={describedBy} onPress={() => void copy()}>
        <Trans>Copy link</Trans>
      </Button>
      {isDenied && <CopyByHand url={url} />}
    </>
  );
}
