import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { isBlocked } from '#device/takes/recording-state.ts';
import { summarizeGaps } from '#contract/gap-summary.ts';
import { regionalLocale } from '#web/i18n/regional-locale.ts';
import { gapLengthFor } from '#web/i18n/short-length.ts';
import { stateMessages } from '#web/recordings/state/state-messages.ts';
import { Timecode } from '#web/ui/text/timecode.tsx';
import type { PlayableRecording } from '#web/features/player/playable-recording.ts';

/** Text for how much of a recording the server has. */
export function StoredOnServer({ recording }: { recording: PlayableRecording }) {
  const { i18n } = useLingui();
  const { state, shownState, isDamaged, hasNoSound } = recording;
  if (isDamaged) return <Trans>Damaged</Trans>;
  if (hasNoSound) return <Trans>Original file</Trans>;
  if (state === 'ready') return <CompleteText recording={recording} />;
  if (state === 'device' && shownState !== 'server' && !isBlocked(shownState)) return <Trans>Not yet</Trans>;
  if (state === 'failed') return <Trans>The original is safe. Earshot will try again to process it.</Trans>;
  if (state === 'abandoned')
    return <Trans>Everything up to here is on the server. The device may still send the rest.</Trans>;
  return i18n._(stateMessages[shownState].long);
}

/** Stored length and missing length, which add up to the duration. */
function CompleteText({ recording: { gaps, storedMs } }: { recording: PlayableRecording }) {
  const { t, i18n } = useLingui();
  const stored = <Timecode ms={storedMs} />;
  if (gaps.length === 0) return <Trans>Complete: {stored}, no gaps</Trans>;
  const { isComplete, missingMs, places } = summarizeGaps(gaps);
  const missing = gapLengthFor(regionalLocale(i18n.locale))(missingMs);
  const count = t`${plural(places, { one: '# gap', other: '# gaps' })}`;
  return isComplete ? (
    <Trans>
      Complete: {stored}, {count} ({missing} missing)
    </Trans>
  ) : (
    <Trans>
      {stored}, {count} ({missing} missing)
    </Trans>
  );
}
