import { useLingui } from '@lingui/react/macro';
import type { GapCause } from '#contract/recordings.ts';
import { regionalLocale } from '#web/i18n/regional-locale.ts';
import { gapLengthFor } from '#web/i18n/short-length.ts';

/** Returns a function that describes the cause and length of a gap, such as "Microphone disconnected, 1.4 s". */
export function useGapText(): (gap: { durationMs: number; cause: GapCause }) => string {
  const { t, i18n } = useLingui();
  const lengthOf = gapLengthFor(regionalLocale(i18n.locale));
  const causes: Record<GapCause, string> = {
    'microphone-lost': t`Microphone disconnected`,
    interrupted: t`Microphone permission withdrawn`,
    'device-slept': t`Device asleep`,
    'page-killed': t`Page closed`,
    stopped: t({ message: 'Stopped', context: 'a gap in a recording' }),
    'storage-full': t`Device full`,
    unknown: t`Reason unknown`,
  };
  return ({ cause, durationMs }) => {
    const [reason, length] = [causes[cause], lengthOf(durationMs)];
    return t({ message: `${reason}, ${length}`, comment: 'A gap in a recording: why, and how long' });
  };
}
