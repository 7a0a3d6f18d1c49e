import { whenIdle } from '#web/api/when-idle.ts';
import { backgroundChunk, lazyChunk } from '#web/ui/lazy/lazy-chunk.tsx';
import type { AudioPreferences } from './audio-preferences.ts';

const { promise: wanted, resolve: want } = Promise.withResolvers<void>();

/** The components that the first screen shows only when a take is running or was found. */
const takeParts = backgroundChunk(() => {
  want();
  return import('./take-parts.ts');
});
/** The same chunk, loaded when the page is idle, or earlier if a take needs it. */
const idleParts = lazyChunk(async () => {
  await Promise.race([whenIdle(), wanted]);
  return takeParts.load();
});

export const loadTakeParts = takeParts.load;

export const RejectedTake = takeParts.component((chunk) => chunk.RejectedTake);
export const ResultCard = takeParts.component((chunk) => chunk.ResultCard);
export const TakeNotices = takeParts.component((chunk) => chunk.TakeNotices);
export const TakeSafetyPill = takeParts.component((chunk) => chunk.TakeSafetyPill);
export const TakeLabels = takeParts.component((chunk) => chunk.TakeLabels);
export const NewMarker = takeParts.component((chunk) => chunk.NewMarkerField);
export const AudiencePanel = takeParts.component((chunk) => chunk.AudiencePanel);
export const RunningChips = takeParts.component((chunk) => chunk.RunningChips);
export const TakeLevel = takeParts.component((chunk) => chunk.TakeLevel);

export const ForeignTakeHint = idleParts.component((chunk) => chunk.ForeignTakeHint);
export const ForeignTakeTitle = idleParts.component((chunk) => chunk.ForeignTakeTitle);
export const BelowStage = idleParts.component((chunk) => chunk.BelowStage);
export const TabOwnerHint = idleParts.component((chunk) => chunk.TabOwnerHint);
export const OtherOwnersNotice = idleParts.component((chunk) => chunk.OtherOwnersNotice);
export const RecoveredNotice = idleParts.component((chunk) => chunk.RecoveredNotice);
export const UnclaimedNotice = idleParts.component((chunk) => chunk.UnclaimedNotice);
export const BeforeTakeHints = idleParts.component((chunk) => chunk.BeforeTakeHints);
export const TakeWave = idleParts.component((chunk) => chunk.TakeWave);
export const IdleLevel = idleParts.component((chunk) => chunk.IdleLevel);
export const LevelSwitch = idleParts.component((chunk) => chunk.LevelSwitch);

export const HowItStaysSafe = lazyChunk(() => import('./notices/how-it-stays-safe.tsx')).component(
  (chunk) => chunk.HowItStaysSafe,
);

/** Limits how long the cue may delay a take if the browser plays it late or not at all. */
const maxCueMs = 1500;

/** Plays the start cue, if the user has turned cues on, before the microphone opens. */
export async function cueStart(preferences: AudioPreferences): Promise<void> {
  if (!preferences.cues) return;
  const tooLate = new Promise((resolve) => {
    setTimeout(resolve, maxCueMs);
  });
  await Promise.race([
    import('./notices/alarm-tone.ts').then(({ soundBeginning }) => soundBeginning()).catch(() => undefined),
    tooLate,
  ]);
}
