import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { summarizeGaps } from '#contract/gap-summary.ts';
import type { Gap, GapCause } from '#contract/recordings.ts';
import { regionalLocale } from '#web/i18n/regional-locale.ts';
import { gapLengthFor } from '#web/i18n/short-length.ts';

/** The cause and length of a gap, as a sentence. */
export function GapMessage({ cause, length }: { cause: GapCause; length: string }) {
  switch (cause) {
    case 'microphone-lost':
      return <Trans>The microphone was disconnected for {length}.</Trans>;
    case 'interrupted':
      return <Trans>Audio was interrupted for {length}.</Trans>;
    case 'device-slept':
      return <Trans>This device was asleep for {length}.</Trans>;
    case 'page-killed':
      return <Trans>The page was closed for {length}.</Trans>;
    case 'stopped':
      return <Trans>Recording was stopped for {length}.</Trans>;
    case 'storage-full':
      return <Trans>This device was full for {length}.</Trans>;
    case 'browser-busy':
      return <Trans>{length} of audio is missing (the browser was too busy).</Trans>;
    case 'not-in-file':
    case 'unknown':
      return <Trans>{length} of audio is missing.</Trans>;
  }
}

/** How much audio is missing, in how many places and why, on one line. Renders nothing for a complete recording. */
export function MissingAudio({ gaps }: { gaps: readonly Gap[] }) {
  const { i18n } = useLingui();
  const { isComplete, missingMs, places, cause } = summarizeGaps(gaps);
  if (isComplete) return null;
  const length = gapLengthFor(regionalLocale(i18n.locale))(missingMs);
  if (places === 1 && cause !== null) return <GapMessage cause={cause} length={length} />;
  return cause === 'browser-busy' ? (
    <Trans>
      {length} missing in <Plural value={places} one="# place" other="# places" /> (the browser was too busy)
    </Trans>
  ) : (
    <Trans>
      {length} missing in <Plural value={places} one="# place" other="# places" />
    </Trans>
  );
}
