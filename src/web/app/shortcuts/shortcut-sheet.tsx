import type { KeyboardEvent } from 'react';
import { useLingui, Trans } from '@lingui/react/macro';
import { chosenKeys } from '#web/shortcuts/chosen-keys.ts';
import { keyLabel } from '#web/shortcuts/use-key-label.ts';
import { ShortcutSwitch } from '#web/shortcuts/shortcut-switch.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { focusOnce, KeyButton } from './key-button.tsx';
import { useKeyChoice, type KeyChoice } from './key-choice.ts';
import { nameIn, useShortcutGroups, type ShortcutGroup, type ShortcutLine } from './use-shortcut-groups.ts';
import styles from './shortcut-sheet.module.css';

/**
 * The keyboard shortcuts, each of which can be changed, and a switch that turns them off for users of speech
 * input.
 */
export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const groups = useShortcutGroups();
  const choice = useKeyChoice();
  const isChanged = Object.keys(useStore(chosenKeys)).length > 0;
  return (
    <Dialog
      title={t`Keyboard shortcuts`}
      size="l"
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
    >
      <p className={styles.hint}>
        <Trans>Select a key, then press the one you want instead. Press Backspace to turn it off.</Trans>
      </p>
      <div className={styles.groups}>
        {groups.map(({ title, lines }) => (
          <section key={title}>
            <h3>{title}</h3>
            <ul className={styles.list}>
              {lines.map((line) => (
                <Line key={line.name} line={line} groups={groups} choice={choice} />
              ))}
            </ul>
          </section>
        ))}
      </div>
      <div className={styles.foot}>
        <ShortcutSwitch />
        {isChanged && (
          <Button
            onPress={() => {
              chosenKeys.set({});
              choice.leave();
            }}
          >
            <Trans>Reset</Trans>
          </Button>
        )}
      </div>
    </Dialog>
  );
}

function Line({
  line: { name, fixed, choosable },
  groups,
  choice,
}: {
  line: ShortcutLine;
  groups: readonly ShortcutGroup[];
  choice: KeyChoice;
}) {
  const { step } = choice;
  const isHere = step.status !== 'resting' && choosable.some(({ action }) => action === step.action);
  return (
    <li className={styles.line}>
      <div className={styles.row}>
        <span>{name}</span>
        <span dir="ltr" className={styles.keys}>
          {fixed.map((key) => (
            <kbd key={key}>{key}</kbd>
          ))}
          {choosable.map((key) => (
            <KeyButton key={key.action} of={key} choice={choice} />
          ))}
        </span>
      </div>
      <output className={styles.status}>{isHere && <Answer groups={groups} choice={choice} />}</output>
    </li>
  );
}

/** The message or question under the line whose key is being chosen. */
function Answer({
  groups,
  choice: { step, takeOver, leave },
}: {
  groups: readonly ShortcutGroup[];
  choice: KeyChoice;
}) {
  const {
    i18n: { locale },
  } = useLingui();
  if (step.status === 'asking')
    return (
      step.isRejected && (
        <p className={styles.answer}>
          <Trans>You can’t use that key. Choose a letter, number or symbol.</Trans>
        </p>
      )
    );
  if (step.status !== 'taken') return null;
  const key = keyLabel(step.key);
  const names = new Intl.ListFormat(locale).format(step.holders.map((holder) => nameIn(groups, holder)));
  const handleEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    leave(step.action);
  };
  return (
    <div className={styles.answer}>
      <p>
        <Trans>
          {key} is already used for: {names}.
        </Trans>
      </p>
      <span className={styles.answers}>
        <Button variant="primary" ref={focusOnce} onKeyDown={handleEscape} onPress={takeOver}>
          {step.canSwap ? <Trans>Swap keys</Trans> : <Trans>Use for this action</Trans>}
        </Button>
        <Button onKeyDown={handleEscape} onPress={() => leave(step.action)}>
          <Trans>Leave unchanged</Trans>
        </Button>
      </span>
    </div>
  );
}
