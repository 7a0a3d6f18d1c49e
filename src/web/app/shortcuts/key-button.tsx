import type { KeyboardEvent } from 'react';
import { useLingui } from '@lingui/react/macro';
import { keyOf } from '#web/shortcuts/change-key.ts';
import { chosenKeys } from '#web/shortcuts/chosen-keys.ts';
import { defaultKeys, digitKeys, keyIn } from '#web/shortcuts/key-actions.ts';
import { keyLabel } from '#web/shortcuts/use-key-label.ts';
import { classes } from '#web/ui/classes.ts';
import { PressButton } from '#web/ui/controls/press-button.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import type { KeyChoice } from './key-choice.ts';
import type { ChoosableKey } from './use-shortcut-groups.ts';
import styles from './shortcut-sheet.module.css';

export interface KeyButtonProps {
  of: ChoosableKey;
  choice: KeyChoice;
}

/** Moves the focus to the element when it mounts. */
export const focusOnce = (element: HTMLElement | null): void => element?.focus();
const modifiers = new Set(['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock']);

/**
 * The key of one action. Pressed, it becomes a text field that waits for a new key, because screen readers pass
 * every letter to a text field.
 */
export function KeyButton({ of: { action, name }, choice }: KeyButtonProps) {
  const { t } = useLingui();
  const key = keyIn(useStore(chosenKeys), action);
  const { step } = choice;
  if (step.status === 'asking' && step.action === action)
    return <KeyField name={name} choice={choice} onLeave={() => choice.leave(action)} />;

  const label = key === null ? t`off` : key === digitKeys ? '0–9' : keyLabel(key);
  const hasFocusBack = step.status === 'resting' && step.last === action;
  return (
    <PressButton
      ref={hasFocusBack ? focusOnce : undefined}
      aria-label={`${name}: ${label}`}
      onPress={() => choice.requestKey(action)}
      className={classes(styles.key, key === null && styles.off, key !== defaultKeys[action] && styles.own)}
    >
      <span dir="ltr">{label}</span>
    </PressButton>
  );
}

function KeyField({ name, choice, onLeave }: { name: string; choice: KeyChoice; onLeave: () => void }) {
  const { t } = useLingui();
  const handleKey = (event: KeyboardEvent) => {
    if (event.key === 'Tab') return;
    // An on-screen keyboard reports no key; its text arrives as a change event.
    if (modifiers.has(event.key) || event.key === 'Unidentified' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    // Escape leaves the field, not the sheet.
    event.stopPropagation();
    if (event.key === 'Escape') onLeave();
    else if (event.key === 'Backspace' || event.key === 'Delete') choice.switchOff();
    else choice.choose(keyOf(event));
  };
  const handleWriting = (text: string) => {
    const written = text.at(-1)?.toLowerCase();
    choice.choose(written === undefined || written === ' ' ? null : written);
  };
  return (
    <input
      ref={focusOnce}
      value=""
      dir="ltr"
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      placeholder="…"
      aria-label={t`New shortcut for “${name}”`}
      onKeyDown={handleKey}
      onChange={(event) => handleWriting(event.currentTarget.value)}
      onBlur={() => choice.leave()}
      className={styles.field}
    />
  );
}
