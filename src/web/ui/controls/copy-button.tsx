import { useState, type ReactNode } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { Check, Copy } from 'lucide-react';
import { announce } from '#web/ui/feedback/announce.ts';
import { Button } from './button.tsx';

/**
 * Copies a text and confirms that in the button. If the browser rejects it, the user can still select the text.
 */
export function CopyButton({ text, children }: { text: string; children?: ReactNode }) {
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
      {isCopied ? <Trans>Copied</Trans> : (children ?? <Trans>Copy</Trans>)}
    </Button>
  );
}
