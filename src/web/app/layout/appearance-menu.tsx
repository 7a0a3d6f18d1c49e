import { useLingui } from '@lingui/react/macro';
import { Monitor, Moon, Sun } from 'lucide-react';
import { themes, themeStore } from '#web/features/settings/theme.ts';
import { useThemeLabels } from '#web/features/settings/use-theme-labels.ts';
import { MenuButton } from '#web/ui/overlays/menu-button.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import styles from './layout.module.css';

const icons = { system: <Monitor aria-hidden />, light: <Sun aria-hidden />, dark: <Moon aria-hidden /> };

/** Switches between light, dark and the system's appearance. */
export function AppearanceMenu() {
  const { t } = useLingui();
  const labels = useThemeLabels();
  const theme = useStore(themeStore);
  const items = themes.map((id) => ({
    id,
    label: labels[id],
    icon: icons[id],
    onAction: () => themeStore.choose(id),
  }));
  return (
    <MenuButton
      label={t`Appearance`}
      icon={icons[theme]}
      items={items}
      selected={theme}
      align="end"
      className={styles.appearance}
    />
  );
}
