import type { Store } from '#base/store.ts';
import type { AudioPreferences } from '#web/features/recorder/audio-preferences.ts';
import type { TakeState } from '#web/features/recorder/take/take.ts';
import { soundEnd } from './alarm-tone.ts';

/** Sounds the cue for the end of a take, once nothing is captured any more. */
export function cueEnds(recorder: Store<TakeState>, preferences: Store<AudioPreferences>): void {
  let before = recorder.getSnapshot().status;
  recorder.subscribe(() => {
    const { status } = recorder.getSnapshot();
    const hasEnded = before === 'stopping' && status === 'stopped';
    before = status;
    if (hasEnded && preferences.getSnapshot().cues) void soundEnd().catch(() => undefined);
  });
}
