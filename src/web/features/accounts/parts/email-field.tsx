import type { MessageDescriptor } from '@lingui/core';
import { useLingui } from '@lingui/react/macro';
import { limits } from '#contract/limits.ts';
import { TextField } from '#web/ui/controls/text-field.tsx';

export interface EmailFieldProps {
  value: string;
  onChange: (value: string) => void;
  problem: MessageDescriptor | undefined;
  /** The browser may offer passkeys in this field. */
  offersPasskeys?: boolean;
}

/**
 * Not `type="email"`, because browsers differ in whether they rewrite non-ASCII addresses, and the address must be
 * the same in all of them.
 */
export function EmailField({ value, onChange, problem, offersPasskeys = false }: EmailFieldProps) {
  const { t, i18n } = useLingui();
  return (
    <TextField
      label={t`Email`}
      name="email"
      type="text"
      inputMode="email"
      autoComplete={offersPasskeys ? 'username webauthn' : 'username'}
      autoCorrect="off"
      spellCheck="false"
      isRequired
      maxLength={limits.emailLength}
      value={value}
      onChange={onChange}
      errorMessage={problem && i18n._(problem)}
    />
  );
}
