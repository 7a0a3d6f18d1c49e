import { useSyncExternalStore } from 'react';
import { authEvents } from './auth-events.ts';
import { createDialogLock } from './dialog-lock.ts';
import { cancelStepUp } from './step-up-prompt.ts';
import { holdClient } from './request.ts';
import { createStore } from '#base/store.ts';

export type SignInPromptForm = 'sign-in' | 'sign-up';

/**
 * `lost`: something waits for the sign-in; `asked`: the person wants to. A banner stands in the dialog's
 * place while another tab has it, or while a take runs: nothing comes between a person and Stop.
 */
export type SignInPrompt =
  | { shown: 'nothing' }
  | { shown: 'dialog'; form: SignInPromptForm; reason: 'asked' | 'lost' }
  | { shown: 'banner'; because: 'other-tab' | 'recording' };

const nothing: SignInPrompt = { shown: 'nothing' };
const prompt = createStore<SignInPrompt>(nothing);
const lock = createDialogLock(globalThis.navigator?.locks);

/** Something waits for a sign-in. */
let isLost = false;
let isRecording = false;

authEvents.on('login-required', ({ code }) => {
  isLost = true;
  void meetLoss(code);
});
// Also where another tab signed in.
authEvents.on('login-confirmed', close);
globalThis.document?.addEventListener('visibilitychange', () => void showForLost());

export function useSignInPrompt(): SignInPrompt {
  return useSyncExternalStore(prompt.subscribe, prompt.getSnapshot, prompt.getSnapshot);
}

/** While a take runs a lost session shows itself as a banner only. */
export function holdSignInBack(isRunning: boolean): void {
  if (isRunning === isRecording) return;
  isRecording = isRunning;
  // A dialog that came up in the very moment of Record makes room too.
  if (isLost && isRecording) leaveToBanner();
  void showForLost();
}

/** Whether a take runs here: the page must not be left. */
export function isTakeRunning(): boolean {
  return isRecording;
}

/**
 * Opens the sign-in dialog over the present screen, away from another tab that shows it; what is on the
 * screen stays.
 */
export function requestSignIn(form: SignInPromptForm = 'sign-in'): void {
  const shown = prompt.getSnapshot();
  prompt.set({ shown: 'dialog', form, reason: isLost ? 'lost' : 'asked' });
  if (shown.shown !== 'dialog') void lock.take('at-once', showBanner);
}

/** The person closed the dialog: whatever waited for the sign-in ends with `login-cancelled`. */
export function cancelSignIn(): void {
  close();
  holdClient.cancel();
  cancelStepUp();
}

/**
 * After a sign-in, a sign-up or a fresh proof answered: verifies it with the server and lets everything go on
 * that waited.
 * @returns false when the server does not know the browser after all: it does not keep the cookie.
 * @throws ApiError when the server cannot be asked.
 */
export function confirmSignIn(): Promise<boolean> {
  return holdClient.confirm();
}

/**
 * A session that was exchanged for a newer one while the request was on its way is none that was lost: the
 * server is asked first.
 */
async function meetLoss(code: string): Promise<void> {
  const isStillThere = code === 'session-expired' && (await confirmSignIn().catch(() => false));
  if (!isStillThere) await showForLost();
}

function leaveToBanner(): void {
  lock.release();
  prompt.set({ shown: 'banner', because: 'recording' });
}

function close(): void {
  isLost = false;
  prompt.set(nothing);
  lock.release();
}

/** In the tab that is looked at, and in one only. */
async function showForLost(): Promise<void> {
  if (!isLost || prompt.getSnapshot().shown === 'dialog') return;
  if (isRecording) return leaveToBanner();
  if (document.visibilityState !== 'visible') return;
  if (await lock.take('if-free', showBanner)) return showDialog();
  if (!isLost) return;
  showBanner();
  if (await lock.take('in-turn', showBanner)) showDialog();
}

function showDialog(): void {
  const isLookedAt = document.visibilityState === 'visible';
  if (isLost && isLookedAt && !isRecording) prompt.set({ shown: 'dialog', form: 'sign-in', reason: 'lost' });
  else lock.release();
}

function showBanner(): void {
  prompt.set(isLost ? { shown: 'banner', because: 'other-tab' } : nothing);
}
