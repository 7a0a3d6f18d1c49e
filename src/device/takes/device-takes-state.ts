import { createStore } from '#base/store.ts';
import type { DeviceTake } from './device-take.ts';
import type { OtherOwner } from './other-owners.ts';

// In a separate file, because device-takes.ts imports the code that writes this state: one file would be a cycle.

export interface DeviceTakesState {
  /** False until the device has been read once. */
  isLoaded: boolean;
  takes: readonly DeviceTake[];
  /** Whether the device has takes of users other than the viewer. */
  hasOtherOwners: boolean;
  /** The accounts other than the viewer's that have takes here, outside the trash. */
  others: readonly OtherOwner[];
}

/** The takes on this device, as this page last read them. */
export const deviceTakesState = createStore<DeviceTakesState>({
  isLoaded: false,
  takes: [],
  hasOtherOwners: false,
  others: [],
});
