import { createStore } from '#base/store.ts';
import { userScope } from '#web/api/user-scope.ts';
import { persistedChoice } from '#web/ui/hooks/persisted-choice.ts';
import { player } from '#web/features/player/engine/shared-player.ts';
import type { PeaksSource } from '#web/features/player/peaks/peaks-source.ts';
import { AllPoints } from './all-points.ts';
import { silenceLengthOf, silencesOf } from './silences.ts';

/** `savedMs`: total length of the skipped silence; null until it is known. */
interface SilenceSkipping {
  isOn: boolean;
  savedMs: number | null;
  hasFailed: boolean;
}

const choice = persistedChoice<boolean>('silence', {
  parse: (text) => text === 'skip',
  print: (isOn) => (isOn ? 'skip' : 'play'),
});
const allPoints = new AllPoints();
const state = createStore<SilenceSkipping>({ isOn: choice.getSnapshot(), savedMs: null, hasFailed: false });
let source: PeaksSource | null = null;
let reading = new AbortController();

function update(change: Partial<SilenceSkipping>): void {
  state.set({ ...state.getSnapshot(), ...change });
}

async function read(): Promise<void> {
  reading.abort();
  reading = new AbortController();
  const { signal } = reading;
  if (!state.getSnapshot().isOn || !source) {
    player.setSilences([]);
    update({ savedMs: null, hasFailed: false });
    return;
  }
  try {
    const silences = silencesOf(await allPoints.read(source, signal));
    if (signal.aborted) return;
    player.setSilences(silences);
    update({ savedMs: silenceLengthOf(silences), hasFailed: false });
  } catch {
    if (!signal.aborted) update({ savedMs: null, hasFailed: true });
  }
}

userScope.onSessionEnd(() => {
  source = null;
  allPoints.forget();
  void read();
});

/** Whether playback skips silence, and how much time that saves in the current recording. */
export const silenceSkipping = {
  subscribe: state.subscribe,
  getSnapshot: state.getSnapshot,
  set(isOn: boolean): void {
    choice.set(isOn);
    update({ isOn });
    void read();
  },
  /** Sets the peaks of the recording in the player, from which its silences are found. */
  follow(peaks: PeaksSource): void {
    if (source?.key !== peaks.key) update({ savedMs: null, hasFailed: false });
    source = peaks;
    void read();
  },
};
