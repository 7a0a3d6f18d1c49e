import { createStore } from '#base/store.ts';
import type { DeviceTake } from './device-take.ts';

// Apart from device-takes.ts, which loads what writes it: together they would import each other.

export interface DeviceTakesState {
  /** False until this device was read for the first time. */
  isLoaded: boolean;
  takes: readonly DeviceTake[];
  /** The device has takes of other users than the viewer. */
  hasOtherOwners: boolean;
}

/** What this page knows of the takes on this device. */
export const deviceTakesState = createStore<DeviceTakesState>({
  isLoaded: false,
  takes: [],
  hasOtherOwners: false,
});
