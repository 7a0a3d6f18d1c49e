import type { MessageDescriptor } from '@lingui/core';
import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { codePointLength } from '#base/text.ts';
import { limits } from '#contract/limits.ts';
import { TextField } from '#web/ui/controls/text-field.tsx';
import { PasswordLength } from './password-length.tsx';

export interface NewPasswordFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  problem: MessageDescriptor | undefined;
}

/** A password to be chosen: what it takes, and how far it is from that. */
export function NewPasswordField({ label, value, onChange, problem }: NewPasswordFieldProps) {
  const { t, i18n } = useLingui();
  const { shortest } = limits.password;
  return (
    <div>
      <TextField
        label={label}
        name="password"
        type="password"
        autoComplete="new-password"
        isRequired
        description={t`${plural(shortest, { one: 'At least # character.', other: 'At least # characters.' })} A few unrelated words are easy to remember and hard to guess.`}
        value={value}
        onChange={onChange}
        errorMessage={problem && i18n._(problem)}
      />
      <PasswordLength length={codePointLength(value)} />
    </div>
  );
}
