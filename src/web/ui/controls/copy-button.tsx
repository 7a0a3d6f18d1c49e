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
  // The text itself: the button must not confirm a text that replaced the copied one.
  const [copied, setCopied] = useState<string | null>(null);
  const isCopied = copied === text;
  const handlePress = async () => {
    try {
      // Pages without HTTPS have no clipboard.
      await navigator.clipboard.writeText(text);
      setCopied(text);
      announce(t`Copied`);
    } catch {
      setCopied(null);
    }
  };
  return (
    <Button icon={isCopied ? <Check aria-hidden /> : <Copy aria-hidden />} onPress={() => void handlePress()}>
      {isCopied ? <Trans>Copied</Trans> : (children ?? <Trans>Copy</Trans>)}
    </Button>
  );
}
