import { useSyncExternalStore } from 'react';
import { authEvents } from './auth-events.ts';
import { holdClient } from './request.ts';
import { createStore } from './support/store.ts';

/** `lost`: something waits for the sign-in; `asked`: the person wants to. */
export type SignInPrompt = { isOpen: false } | { isOpen: true; form: SignInForm; reason: 'asked' | 'lost' };
export type SignInForm = 'sign-in' | 'sign-up';

const prompt = createStore<SignInPrompt>({ isOpen: false });

authEvents.on('login-required', () => prompt.set({ isOpen: true, form: 'sign-in', reason: 'lost' }));
// Also where another tab signed in.
authEvents.on('login-confirmed', () => prompt.set({ isOpen: false }));

export function useSignInPrompt(): SignInPrompt {
  return useSyncExternalStore(prompt.subscribe, prompt.getSnapshot);
}

/** Opens the sign-in dialog over the present screen; what is on the screen stays. */
export function requestSignIn(form: SignInForm = 'sign-in'): void {
  const shown = prompt.getSnapshot();
  prompt.set({ isOpen: true, form, reason: shown.isOpen ? shown.reason : 'asked' });
}

/** The person closed the dialog: whatever waited for the sign-in ends with `login-cancelled`. */
export function cancelSignIn(): void {
  prompt.set({ isOpen: false });
  holdClient.cancel();
}

/**
 * After a sign-in or sign-up answered: verifies it with the server and lets everything go on that waited.
 * @returns false when the server does not know the browser after all: it does not keep the cookie.
 * @throws ApiError when the server cannot be asked.
 */
export function confirmSignIn(): Promise<boolean> {
  return holdClient.confirm();
}
