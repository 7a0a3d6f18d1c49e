import { i18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { Store } from '#base/store.ts';
import { showToast } from '#web/ui/overlays/toast.tsx';
import { cueEnds } from './alarm-tone.ts';
import { raiseAlarms } from './capture-alarm.ts';
import { announceTake } from './announce-take.ts';
import { audioPreferences } from '#web/features/recorder/audio-preferences.ts';
import { persistOnFirstTake } from '#web/features/recorder/take/persist-storage.ts';
import type { TakeState } from '#web/features/recorder/take/take.ts';

/**
 * Starts the features that follow takes outside the screen: announcements, alarms, cues, the request for
 * persistent storage. Changes since `before`, the last state that was followed, are announced immediately.
 */
export function startFollowing(
  recorder: Store<TakeState> & { signalled: () => void },
  before: TakeState,
): void {
  announceTake(recorder, before);
  persistOnFirstTake(recorder, explainStoragePrompt);
  raiseAlarms(recorder);
  cueEnds(recorder, audioPreferences);
}

const explainStoragePrompt = (): void => {
  showToast({
    message: () =>
      i18n._(
        msg`Your browser asks whether Earshot may store data. Choose “Allow”, and it never removes recordings to make space.`,
      ),
  });
};
