import { useLingui } from '@lingui/react/macro';
import { Switch } from '#web/ui/controls/switch.tsx';
import { shortcutPreference } from '#web/ui/hooks/shortcut-preference.ts';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { useShortcutGroups } from './use-shortcut-groups.ts';
import styles from './shortcut-sheet.module.css';

/** The keys that do something, and the switch that turns them off for people who speak to their computer. */
export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const groups = useShortcutGroups();
  const isOn = useStore(shortcutPreference);
  return (
    <Dialog title={t`Keyboard shortcuts`} size="l" isOpen onOpenChange={(isOpen) => { if (!isOpen) onClose(); }}>
      <div className={styles.groups}>
        {groups.map(({ title, shortcuts }) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl className={styles.list}>
              {shortcuts.map(({ keys, action }) => (
                <div key={action} className={styles.row}>
                  <dt>{action}</dt>
                  <dd>{keys.map((key) => <kbd key={key} dir="ltr">{key}</kbd>)}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <Switch isSelected={isOn} onChange={(on) => shortcutPreference.set(on)} description={t`Switch this off when you dictate or speak to your computer.`} className={styles.switch}>
        {t`Keyboard shortcuts`}
      </Switch>
    </Dialog>
  );
}
