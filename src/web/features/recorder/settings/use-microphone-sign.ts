import { useLingui } from '@lingui/react/macro';
import { useTitleSign } from '#web/ui/text/title-sign.ts';

/** Says before the document's title that the microphone is open, although nothing is recorded. */
export function useMicrophoneSign(isOpen: boolean): void {
  const { t } = useLingui();
  useTitleSign(
    isOpen
      ? t({ message: 'Microphone on', comment: 'The microphone is open, although nothing is recorded' })
      : null,
  );
}
