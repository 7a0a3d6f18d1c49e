import { Monitor, Moon, Sun } from 'lucide-react';
import { useLingui } from '@lingui/react/macro';
import { Label } from 'react-aria-components/Label';
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { themes, themeStore } from './theme.ts';
import { useThemeLabels } from './use-theme-labels.ts';
import styles from './settings.module.css';

const icons = { system: Monitor, light: Sun, dark: Moon };

export function ThemeChoice() {
  const { t } = useLingui();
  const labels = useThemeLabels();
  const theme = useStore(themeStore);
  return (
    <RadioGroup
      value={theme}
      orientation="horizontal"
      className={styles.themes ?? ''}
      onChange={(value) => themeStore.choose(themes.find((known) => known === value) ?? 'system')}
    >
      <Label className={styles.groupLabel ?? ''}>{t`Appearance`}</Label>
      <div className={styles.themeRow}>
        {themes.map((value) => {
          const Icon = icons[value];
          return (
            <Radio key={value} value={value} className={styles.theme ?? ''}>
              <Icon aria-hidden />
              <span>{labels[value]}</span>
            </Radio>
          );
        })}
      </div>
    </RadioGroup>
  );
}
