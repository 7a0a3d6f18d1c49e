import { authEvents } from './auth-events.ts';
import { holdClient } from './request.ts';
import type { Store } from '#base/store.ts';
import { userScope } from './user-scope.ts';

const store = userScope.createStore(false);

authEvents.on('reauthentication-required', () => store.set(true));
// A sign-in is a fresh proof too, here or in another tab.
authEvents.on('login-confirmed', () => store.set(false));

/** Whether the person is asked to prove that they are still who they are. */
export const stepUpPrompt: Store<boolean> = store;

/** The person will not: what waited for the proof ends with `reauthentication-cancelled`. */
export function cancelStepUp(): void {
  store.set(false);
  holdClient.cancel('step-up');
}

/** Takes the question away while something else is asked first; what waits goes on waiting. */
export function hideStepUp(): void {
  store.set(false);
}
