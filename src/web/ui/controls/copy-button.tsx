import { useState, type ReactNode } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { Check, Copy } from 'lucide-react';
import { copyText } from '#web/ui/dom/copy-text.ts';
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
    const isDone = await copyText(text);
    setCopied(isDone ? text : null);
    if (isDone) announce(t`Copied`);
  };
  return (
    <Button icon={isCopied ? <Check aria-hidden /> : <Copy aria-hidden />} onPress={() => void handlePress()}>
      {isCopied ? <Trans>Copied</Trans> : (children ?? <Trans>Copy</Trans>)}
    </Button>
  );
}
