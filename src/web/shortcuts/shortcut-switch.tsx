import { useLingui } from '@lingui/react/macro';
import { Switch } from '#web/ui/controls/switch.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { shortcutPreference } from './shortcut-preference.ts';

/** Turns the one-letter shortcuts off, for users of speech input (WCAG 2.1.4). */
export function ShortcutSwitch() {
  const { t } = useLingui();
  return (
    <Switch
      isSelected={useStore(shortcutPreference)}
      onChange={(isOn) => shortcutPreference.set(isOn)}
      description={t`Turn this off if you use dictation or voice control.`}
    >
      {t`Keyboard shortcuts`}
    </Switch>
  );
}
