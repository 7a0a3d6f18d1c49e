import { useLingui } from '@lingui/react/macro';
import type { LabelColour } from '#base/labels/label.ts';

/** What the colours of tags and markers are called. */
export function useColourNames(): Record<LabelColour, string> {
  const { t } = useLingui();
  return { blue: t`Blue`, green: t`Green`, amber: t`Amber`, violet: t`Violet`, grey: t`Grey` };
}
