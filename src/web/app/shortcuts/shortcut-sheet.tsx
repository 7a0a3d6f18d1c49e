import { useLingui } from '@lingui/react/macro';
import { ShortcutSwitch } from '#web/shortcuts/shortcut-switch.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { useShortcutGroups, type ShortcutLine } from './use-shortcut-groups.ts';
import styles from './shortcut-sheet.module.css';

/** The keyboard shortcuts, and a switch that turns them off for users of speech input. */
export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  return (
    <Dialog
      title={t`Keyboard shortcuts`}
      size="l"
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
    >
      <div className={styles.groups}>
        {useShortcutGroups().map(({ title, lines }) => (
          <section key={title}>
            <h3>{title}</h3>
            <ul className={styles.list}>
              {lines.map((line) => (
                <Line key={line.name} {...line} />
              ))}
            </ul>
          </section>
        ))}
      </div>
      <ShortcutSwitch />
    </Dialog>
  );
}

function Line({ name, keys }: ShortcutLine) {
  return (
    <li className={styles.line}>
      <span>{name}</span>
      <span dir="ltr" className={styles.keys}>
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </span>
    </li>
  );
}
