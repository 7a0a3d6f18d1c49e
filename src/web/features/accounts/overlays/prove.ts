import { ApiError } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import type { HoldOptions } from '#web/api/hold/hold-client.ts';
import { hideStepUp } from '#web/api/step-up-prompt.ts';
import { confirmSignIn, requestSignIn } from '#web/api/sign-in-prompt.ts';
import { requestPasskey } from '#web/features/accounts/passkeys/web-authn.ts';

export type Proof =
  | { method: 'password'; password: string }
  | { method: 'totp'; code: string }
  | { method: 'passkey' };

/** The proof is about the person on the screen, and cannot wait for another proof. */
const proof: HoldOptions = { isAuthCall: false, noHold: true };

async function prove(given: Proof): Promise<void> {
  if (given.method !== 'passkey') {
    await call('reauthenticate', { body: given, hold: proof });
    return;
  }
  const { flow, options } = await call('startPasskeyReauthentication', { hold: proof });
  await call('reauthenticate', {
    body: { method: 'passkey', flow, credential: await requestPasskey(options) },
    hold: proof,
  });
}

/** Gives the server a fresh proof of who is here, and lets go on what waited for it. @throws ApiError */
export async function proveAndResume(given: Proof): Promise<void> {
  try {
    await prove(given);
  } catch (error) {
    if (!isSessionGone(error)) throw error;
    // There is no session left to renew. A sign-in is a proof too, and what waits goes on after it.
    hideStepUp();
    requestSignIn();
    return;
  }
  await confirmSignIn();
}

const isSessionGone = (error: unknown) =>
  error instanceof ApiError && (error.code === 'session-expired' || error.code === 'session-required');
