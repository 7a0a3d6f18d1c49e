import type { Store } from '#base/store.ts';
import { cueEnds } from './alarms/cue-ends.ts';
import { warnOfTrouble } from './alarms/warn-of-trouble.ts';
import { announceTake } from './announce-take.ts';
import { audioPreferences } from './audio-preferences.ts';
import { askToPersist } from './audio/ask-to-persist.ts';
import type { TakeState } from './take/take.ts';

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
  warnOfTrouble(recorder);
  cueEnds(recorder, audioPreferences);
}
