import { useLingui } from '@lingui/react/macro';
import type { LabelColour } from '#base/labels/label.ts';

/** The names of the colours of tags and markers. */
export function useColourNames(): Record<LabelColour, string> {
  const { t } = useLingui();
  return { blue: t`Blue`, green: t`Green`, amber: t`Amber`, violet: t`Violet`, grey: t`Grey` };
}
