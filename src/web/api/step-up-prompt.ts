import { authEvents } from './auth-events.ts';
import { holdClient } from './request.ts';
import type { Store } from '#base/store.ts';
import { userScope } from './user-scope.ts';

const store = userScope.createStore(false);

authEvents.on('reauthentication-required', () => store.set(true));
// A sign-in is a recent proof too, here or in another tab.
authEvents.on('login-confirmed', () => store.set(false));

/** Whether the user is being asked for a recent proof of identity. */
export const stepUpPrompt: Store<boolean> = store;

/** The user declined: requests that wait for the proof end with `reauthentication-cancelled`. */
export function cancelStepUp(): void {
  store.set(false);
  holdClient.cancel('step-up');
}

/** Hides the prompt while another one has priority. The requests continue to wait. */
export function hideStepUp(): void {
  store.set(false);
}
