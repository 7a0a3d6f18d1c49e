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

/** The proof is about the signed-in user, and can't be held until another proof. */
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

/**
 * Sends a new proof of the user's identity, and resumes the requests that waited for it.
 * @throws ApiError
 */
export async function proveAndResume(given: Proof): Promise<void> {
  try {
    await prove(given);
  } catch (error) {
    if (!isSessionGone(error)) throw error;
    // The session has ended. A sign-in is a proof too, and resumes the waiting requests.
    hideStepUp();
    requestSignIn();
    return;
  }
  await confirmSignIn();
}

const isSessionGone = (error: unknown) =>
  error instanceof ApiError && (error.code === 'session-expired' || error.code === 'session-required');
