import type { MessageDescriptor } from '@lingui/core';
import { plural } from '@lingui/core/macro';
import { useLingui, Plural, Trans } from '@lingui/react/macro';
import { Check } from 'lucide-react';
import { codePointLength } from '#base/text.ts';
import { limits } from '#contract/limits.ts';
import { TextField } from '#web/ui/controls/text-field.tsx';
import styles from '#web/features/accounts/accounts.module.css';

export interface NewPasswordFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  problem: MessageDescriptor | undefined;
}

/** The field for a new password, with the requirements and how many characters are missing. */
export function NewPasswordField({ label, value, onChange, problem }: NewPasswordFieldProps) {
  const { t, i18n } = useLingui();
  const shortest = limits.password.minLength;
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

/** How many characters are missing. Visible, but not announced at every keystroke. */
function PasswordLength({ length }: { length: number }) {
  const shortest = limits.password.minLength;
  const missing = shortest - length;
  return (
    <div className={styles.length}>
      <div aria-hidden className={styles.meter} style={{ '--share': Math.min(length / shortest, 1) }}>
        <div className={styles.meterFill} />
      </div>
      <span className={styles.lengthText}>
        {missing > 0 ? (
          <Plural value={missing} one="# character to go" other="# characters to go" />
        ) : (
          <>
            <Check aria-hidden />
            <Trans>Long enough</Trans>
          </>
        )}
      </span>
    </div>
  );
}
