import type { AudioPreferences } from '#web/features/recorder/audio-preferences.ts';

/** A browser that gives no sound, or not in time, holds no take up. */
const longestWaitMs = 1500;

/**
 * Resolves when a take may begin: after the cue for it where cues are wanted, so that the microphone never
 * hears it.
 */
export async function cueBeginning(preferences: AudioPreferences): Promise<void> {
  if (!preferences.cues) return;
  const tooLong = new Promise((resolve) => {
    setTimeout(resolve, longestWaitMs);
  });
  await Promise.race([
    import('./alarm-tone.ts').then(({ soundBeginning }) => soundBeginning()).catch(() => undefined),
    tooLong,
  ]);
}
