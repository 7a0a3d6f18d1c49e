import type { Store } from '#base/store.ts';
import { cueEnds } from './alarm-tone.ts';
import { raiseAlarms } from './capture-alarm.ts';
import { announceTake } from './announce-take.ts';
import { audioPreferences } from '#web/features/recorder/audio-preferences.ts';
import { askToPersist } from '#web/features/recorder/take/persist-storage.ts';
import type { TakeState } from '#web/features/recorder/take/take.ts';

/**
 * What happens beside the screen while takes come and go: words for a screen reader, warnings, cues, the
 * question for lasting storage. `before` is the state that was last followed: what has changed since is told
 * of at once.
 */
export function startFollowing(
  recorder: Store<TakeState> & { signalled: () => void },
  before: TakeState,
): void {
  announceTake(recorder, before);
  askToPersist(recorder);
  raiseAlarms(recorder);
  cueEnds(recorder, audioPreferences);
}
