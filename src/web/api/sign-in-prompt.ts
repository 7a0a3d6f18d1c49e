import { useSyncExternalStore } from 'react';
import { authEvents } from './auth-events.ts';
import { createDialogLock } from './dialog-lock.ts';
import { cancelStepUp } from './step-up-prompt.ts';
import { holdClient } from './request.ts';
import { createStore } from '#base/store.ts';

export type SignInPromptForm = 'sign-in' | 'sign-up';

/**
 * `lost`: a request waits for the sign-in; `asked`: the user chose to sign in. A banner replaces the dialog while
 * another tab shows it, or while a take runs, because nothing may come between the user and Stop.
 */
export type SignInPrompt =
  | { shown: 'nothing' }
  | { shown: 'dialog'; form: SignInPromptForm; reason: 'asked' | 'lost' }
  | { shown: 'banner'; because: 'other-tab' | 'recording' };

const nothing: SignInPrompt = { shown: 'nothing' };
const prompt = createStore<SignInPrompt>(nothing);
const lock = createDialogLock(globalThis.navigator?.locks);

/** A request waits for a sign-in. */
let isLost = false;
let isRecording = false;

authEvents.on('login-required', ({ code }) => {
  isLost = true;
  void handleLoss(code);
});
// Also when another tab signed in.
authEvents.on('login-confirmed', close);
globalThis.document?.addEventListener('visibilitychange', () => void showForLost());

export function useSignInPrompt(): SignInPrompt {
  return useSyncExternalStore(prompt.subscribe, prompt.getSnapshot, prompt.getSnapshot);
}

/** While a take runs, a lost session shows only a banner. */
export function holdSignInBack(isRunning: boolean): void {
  if (isRunning === isRecording) return;
  isRecording = isRunning;
  // A dialog that opened at the moment of Record gives way too.
  if (isLost && isRecording) leaveToBanner();
  void showForLost();
}

/** Whether a take runs in this page, so that the page must not be left. */
export function isTakeRunning(): boolean {
  return isRecording;
}

/** Opens the sign-in dialog over the current screen, which stays. Takes it over from another tab that shows it. */
export function requestSignIn(form: SignInPromptForm = 'sign-in'): void {
  const shown = prompt.getSnapshot();
  prompt.set({ shown: 'dialog', form, reason: isLost ? 'lost' : 'asked' });
  if (shown.shown !== 'dialog') void lock.take('at-once', showBanner);
}

/** The user closed the dialog: every request that waits for the sign-in ends with `login-cancelled`. */
export function cancelSignIn(): void {
  close();
  holdClient.cancel();
  cancelStepUp();
}

/**
 * Call this after a sign-in, a sign-up or a recent proof. Confirms it with the server and releases the waiting
 * requests.
 * @returns false if the server has no session for this browser, which has not stored the cookie
 * @throws ApiError if the server cannot be reached
 */
export function confirmSignIn(): Promise<boolean> {
  return holdClient.confirm();
}

/** A session that was replaced by a newer one during the request is not lost, so the server is asked first. */
async function handleLoss(code: string): Promise<void> {
  const isReplaced = code === 'session-expired' && (await confirmSignIn().catch(() => false));
  if (!isReplaced) await showForLost();
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

/** Shows the dialog in the visible tab, and in one tab only. */
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
  const isVisible = document.visibilityState === 'visible';
  if (isLost && isVisible && !isRecording) prompt.set({ shown: 'dialog', form: 'sign-in', reason: 'lost' });
  else lock.release();
}

function showBanner(): void {
  prompt.set(isLost ? { shown: 'banner', because: 'other-tab' } : nothing);
}
