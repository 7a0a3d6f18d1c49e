import { useLingui } from '@lingui/react/macro';
import type { Theme } from './theme.ts';

/** The names of the themes. */
export function useThemeLabels(): Record<Theme, string> {
  const { t } = useLingui();
  return { system: t`System`, light: t`Light`, dark: t`Dark` };
}
