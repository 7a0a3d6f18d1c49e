import { useState } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { Check, Copy } from 'lucide-react';
import { Button } from '#web/ui/controls/button.tsx';
import { announce } from '#web/ui/feedback/announce.ts';

/**
 * Copies a text and confirms that in the button. If the browser rejects it, the user can still select the text.
 */
export function CopyButton({ text }: { text: string }) {
  const { t } = useLingui();
  const [isCopied, setCopied] = useState(false);
  const handlePress = () => {
    navigator.clipboard.writeText(text).then(
      () => {
        setCopied(true);
        announce(t`Copied`);
      },
      () => setCopied(false),
    );
  };
  return (
    <Button icon={isCopied ? <Check aria-hidden /> : <Copy aria-hidden />} onPress={handlePress}>
      {isCopied ? <Trans>Copied</Trans> : <Trans>Copy</Trans>}
    </Button>
  );
}
