import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { formatTimecode } from '#base/format-timecode.ts';
import { missingMsOf } from '#contract/gap-summary.ts';
import type { GapCause } from '#contract/recordings.ts';
import { regionalLocale } from '#web/i18n/regional-locale.ts';
import { gapLengthFor } from '#web/i18n/short-length.ts';

/** Keeps the digits of a time together in text of either direction. */
const isolated = (time: string): string => `\u2066${time}\u2069`;

/** A gap, or a stretch of small gaps that ends at `untilMs` and lacks `missingMs` in total. */
interface DescribedGap {
  durationMs: number;
  cutMs?: number | undefined;
  missingMs?: number;
  cause: GapCause;
  pieces?: readonly unknown[];
  untilMs?: number;
}

/** Says for how long a recording was stopped before it was continued. */
export const stoppedFor = (length: string): MessageDescriptor => msg`Stopped for ${length}`;

/** Returns a function that describes the cause and length of a gap, such as "Microphone disconnected, 1.4 s". */
export function useGapText(): (gap: DescribedGap) => string {
  const { t, i18n } = useLingui();
  const lengthOf = gapLengthFor(regionalLocale(i18n.locale));
  const causes: Record<Exclude<GapCause, 'stopped'>, string> = {
    'microphone-lost': t`Microphone disconnected`,
    interrupted: t`Microphone permission withdrawn`,
    'device-slept': t`Device asleep`,
    'page-killed': t`Page closed`,
    'storage-full': t`Device full`,
    'browser-busy': t`Browser too busy`,
    'not-in-file': t`No audio in the file`,
    unknown: t`Reason unknown`,
  };
  return ({ cause, durationMs, cutMs, missingMs, pieces = [], untilMs = 0 }) => {
    const length = lengthOf(missingMs ?? missingMsOf({ durationMs, cutMs }));
    if (cause === 'stopped') return i18n._(stoppedFor(length));
    const reason = causes[cause];
    if (pieces.length > 1) {
      const until = isolated(formatTimecode(untilMs));
      return t({
        message: `${reason}, about ${length} in small pieces until ${until}`,
        comment:
          'A gap in a recording: why, how long in total, and where the last piece ends (a time such as 00:13)',
      });
    }
    if (cutMs !== undefined)
      return t({
        message: `${reason}, about ${length}`,
        comment: 'A gap in a recording whose length is not known exactly: why, and how long',
      });
    return t({ message: `${reason}, ${length}`, comment: 'A gap in a recording: why, and how long' });
  };
}
