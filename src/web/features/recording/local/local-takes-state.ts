import { createStore } from '#base/store.ts';
import type { LocalTake } from './local-take.ts';
import type { RecoveredTake } from './recovery.ts';

export interface LocalTakesState {
  /** False until this device was looked at for the first time. */
  isLoaded: boolean;
  takes: readonly LocalTake[];
  /** The device has takes that belong to somebody else than the person these are for. */
  hasOtherOwners: boolean;
  /** Takes recovered since this page was opened; the screen tells of them until they are dismissed. */
  recovered: readonly RecoveredTake[];
}

/** What this page knows of the takes on this device. */
export const localTakesState = createStore<LocalTakesState>({
  isLoaded: false,
  takes: [],
  hasOtherOwners: false,
  recovered: [],
});

export function changeLocalTakes(changes: Partial<LocalTakesState>): void {
  localTakesState.set({ ...localTakesState.getSnapshot(), ...changes });
}

export function dismissRecovered(takeId: string): void {
  changeLocalTakes({ recovered: localTakesState.getSnapshot().recovered.filter(({ id }) => id !== takeId) });
}
