import type { MessageDescriptor } from '@lingui/core';
import { useLingui } from '@lingui/react/macro';
import { latinDigits } from '#base/text.ts';
import { TextField } from '#web/ui/controls/text-field.tsx';

export interface CodeFieldProps {
  label: string;
  description?: string;
  value: string;
  onChange: (value: string) => void;
  problem: MessageDescriptor | undefined;
  /** Digits only. Phones then show a numeric keypad and suggest the code that has just arrived. */
  isNumeric?: boolean;
}

/**
 * A code from an e-mail, an app or a list. The server ignores spaces and hyphens. Digits of other scripts are
 * converted to Latin ones.
 */
export function CodeField({
  label,
  description,
  value,
  onChange,
  problem,
  isNumeric = true,
}: CodeFieldProps) {
  const { i18n } = useLingui();
  return (
    <TextField
      label={label}
      {...(description === undefined ? {} : { description })}
      name="code"
      type="text"
      inputMode={isNumeric ? 'numeric' : 'text'}
      autoComplete={isNumeric ? 'one-time-code' : 'off'}
      autoCorrect="off"
      spellCheck="false"
      isRequired
      maxLength={64}
      value={value}
      onChange={(typed) => onChange(latinDigits(typed))}
      errorMessage={problem && i18n._(problem)}
    />
  );
}
