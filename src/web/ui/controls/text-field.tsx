import { useState } from 'react';
import { Eye, EyeOff, TriangleAlert } from 'lucide-react';
import { useLingui } from '@lingui/react/macro';
import { FieldError } from 'react-aria-components/FieldError';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { Text } from 'react-aria-components/Text';
import {
  TextField as AriaTextField,
  type TextFieldProps as AriaTextFieldProps,
} from 'react-aria-components/TextField';
import { classes } from '#web/ui/classes.ts';
import { inputDirection } from '#web/ui/text/input-direction.ts';
import { IconButton } from './icon-button.tsx';
import styles from './field.module.css';

export interface TextFieldProps extends Omit<
  AriaTextFieldProps,
  'children' | 'className' | 'style' | 'isInvalid'
> {
  label: string;
  description?: string;
  /** Shown while it is not empty, and marks the field as invalid. */
  errorMessage?: string | null | undefined;
  placeholder?: string;
  className?: string | undefined;
}

/** Fields whose text is left to right in every language. */
const leftToRightTypes: ReadonlySet<string> = new Set(['password', 'email', 'url']);

function RevealButton({ isVisible, onToggle }: { isVisible: boolean; onToggle: () => void }) {
  const { t } = useLingui();
  return (
    <div className={styles.end}>
      <IconButton
        label={isVisible ? t`Hide password` : t`Show password`}
        icon={isVisible ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
        onPress={onToggle}
      />
    </div>
  );
}

/** One line of text with its label, and below it the description or the error. A password can be shown. */
export function TextField({
  label,
  description,
  errorMessage,
  placeholder,
  className,
  type = 'text',
  ...rest
}: TextFieldProps) {
  const [isVisible, setVisible] = useState(false);
  const isPassword = type === 'password';
  const isLeftToRight = leftToRightTypes.has(type);
  return (
    <AriaTextField
      {...rest}
      type={isVisible ? 'text' : type}
      isInvalid={Boolean(errorMessage)}
      validationBehavior="aria"
      className={classes(styles.field, className)}
    >
      <Label className={classes(styles.label)}>{label}</Label>
      <div className={styles.box} dir={isPassword ? 'ltr' : undefined}>
        <Input
          className={classes(styles.input, isPassword && styles.withEnd)}
          dir={isLeftToRight ? 'ltr' : inputDirection(rest.value)}
          {...(placeholder ? { placeholder } : {})}
        />
        {isPassword && <RevealButton isVisible={isVisible} onToggle={() => setVisible(!isVisible)} />}
      </div>
      {description && !errorMessage && (
        <Text slot="description" className={classes(styles.description)}>
          {description}
        </Text>
      )}
      <FieldError className={classes(styles.error)}>
        <TriangleAlert aria-hidden />
        <span>{errorMessage}</span>
      </FieldError>
    </AriaTextField>
  );
}
