import { lazy } from 'react';
import { whenIdle } from '#web/api/when-idle.ts';
import type { AudioPreferences } from './audio-preferences.ts';

const { promise: wanted, resolve: want } = Promise.withResolvers<void>();

/** Loads the components that the first screen shows only when a take is running or was found. */
export const loadTakeParts = () => {
  want();
  return import('./take-parts.ts');
};

/** Loads the same components when the page is idle, or earlier if they are needed. */
async function loadWhenIdle() {
  await Promise.race([whenIdle(), wanted]);
  return loadTakeParts();
}

export const CaptureErrorPanel = lazy(async () => ({ default: (await loadTakeParts()).CaptureErrorPanel }));
export const ResultCard = lazy(async () => ({ default: (await loadTakeParts()).ResultCard }));
export const TakeNotices = lazy(async () => ({ default: (await loadTakeParts()).TakeNotices }));
export const SafetyPill = lazy(async () => ({ default: (await loadTakeParts()).SafetyPill }));
export const TakeLabels = lazy(async () => ({ default: (await loadTakeParts()).TakeLabels }));
export const NewMarker = lazy(async () => ({ default: (await loadTakeParts()).NewMarkerField }));
export const RunningChips = lazy(async () => ({ default: (await loadTakeParts()).RunningChips }));
export const LevelMeter = lazy(async () => ({ default: (await loadTakeParts()).LevelBar }));
export const MicrophoneTestDialog = lazy(async () => ({
  default: (await loadTakeParts()).MicrophoneTestDialog,
}));

export const RecoveredNotice = lazy(async () => ({ default: (await loadWhenIdle()).RecoveredNotice }));
export const UnclaimedNotice = lazy(async () => ({ default: (await loadWhenIdle()).UnclaimedNotice }));
export const SpaceHint = lazy(async () => ({ default: (await loadWhenIdle()).SpaceHint }));
export const LiveWave = lazy(async () => ({ default: (await loadWhenIdle()).LiveWave }));
export const IdleLevel = lazy(async () => ({ default: (await loadWhenIdle()).IdleLevel }));
export const LevelSwitch = lazy(async () => ({ default: (await loadWhenIdle()).LevelSwitch }));

export const HowItStaysSafe = lazy(async () => ({
  default: (await import('./notices/how-it-stays-safe.tsx')).HowItStaysSafe,
}));

/** Limits how long the cue may delay a take if the browser plays it late or not at all. */
const longestCueMs = 1500;

/** Plays the start cue, if the user has turned cues on, before the microphone opens. */
export async function cueStart(preferences: AudioPreferences): Promise<void> {
  if (!preferences.cues) return;
  const tooLate = new Promise((resolve) => {
    setTimeout(resolve, longestCueMs);
  });
  await Promise.race([
    import('./notices/alarm-tone.ts').then(({ soundBeginning }) => soundBeginning()).catch(() => undefined),
    tooLate,
  ]);
}
