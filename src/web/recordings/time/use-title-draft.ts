import { useState } from 'react';
import { useLingui } from '@lingui/react/macro';
import { codePointLength } from '#base/text.ts';
import { limits } from '#contract/limits.ts';
import { hasTypedText, useTypedText } from '#web/ui/hooks/use-typed-text.ts';
import { fieldMessage } from '#web/api/field-message.ts';

const longest = limits.titleLength;

const titleDraftKey = (recordingId: string): string => `title:${recordingId}`;

/** Whether a title of this recording was typed and not saved yet. */
export const hasTitleDraft = (recordingId: string): boolean => hasTypedText(titleDraftKey(recordingId));

/**
 * A title that is being edited, beginning with what was typed before. `accepted` returns it trimmed; null if it is too
 * long, and `field` then shows the error. `forget` what was typed when it is saved or cancelled.
 */
export function useTitleDraft({ id, title }: { id: string; title: string }) {
  const { i18n } = useLingui();
  const { text, type, forget } = useTypedText(titleDraftKey(id), title);
  const [isRejected, setRejected] = useState(false);
  return {
    field: {
      value: text,
      onChange: type,
      errorMessage: isRejected ? i18n._(fieldMessage({ code: 'too-long', params: { longest } })) : null,
    },
    forget,
    accepted: (): string | null => {
      const trimmed = text.trim();
      const isTooLong = codePointLength(trimmed) > longest;
      setRejected(isTooLong);
      return isTooLong ? null : trimmed;
    },
  };
}
