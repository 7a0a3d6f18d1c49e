import { useState } from 'react';
import { useLingui } from '@lingui/react/macro';
import { codePointLength } from '#base/text.ts';
import { limits } from '#contract/limits.ts';
import { fieldMessage } from '#web/api/field-message.ts';

const longest = limits.titleLength;

/**
 * A title that is being edited. `accepted` returns it trimmed; null if it is too long, and `field` then shows the
 * error.
 */
export function useTitleDraft(title: string) {
  const { i18n } = useLingui();
  const [text, setText] = useState(title);
  const [isRejected, setRejected] = useState(false);
  return {
    field: {
      value: text,
      onChange: setText,
      errorMessage: isRejected ? i18n._(fieldMessage({ code: 'too-long', params: { longest } })) : null,
    },
    accepted: (): string | null => {
      const trimmed = text.trim();
      const isTooLong = codePointLength(trimmed) > longest;
      setRejected(isTooLong);
      return isTooLong ? null : trimmed;
    },
  };
}
