import { second } from '#base/duration.ts';
import type { PasskeyAssertion } from '#contract/passkeys.ts';
import { ApiError } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { backOffMs } from '#base/back-off.ts';
import { waitForRetry } from '#web/api/connection/retry.ts';
import { requestPasskey, canOfferInField, cancelPasskeyRequest, whenPromptClosed } from './web-authn.ts';

export interface Picked {
  flow: string;
  credential: PasskeyAssertion;
}

/** A challenge is renewed this long before it expires, so that a user who picks a passkey then has enough time. */
const renewedBeforeMs = 60 * second;
/** After this many failures in a row the browser is assumed not to offer passkeys. */
const maxFailures = 8;

/**
 * Waits until a passkey is picked; null if the challenge is about to expire. It is not renewed while the page is
 * hidden.
 */
async function pickOnce(signal: AbortSignal): Promise<Picked | null> {
  const { flow, options } = await call('startPasskeySignIn');
  if (signal.aborted) return null;
  const round = new AbortController();
  let isOld = false;
  const renew = () => {
    if (document.visibilityState !== 'visible') return;
    isOld = true;
    void cancelPasskeyRequest();
  };
  const timer = setTimeout(() => {
    document.addEventListener('visibilitychange', renew, { signal: round.signal });
    renew();
  }, options.timeout - renewedBeforeMs);
  try {
    return { flow, credential: await requestPasskey(options, true) };
  } catch (error) {
    if (isOld) return null;
    throw error;
  } finally {
    clearTimeout(timer);
    round.abort();
  }
}

const isHopeless = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'passkey-unsupported';

/**
 * Offers passkeys in the field until one has signed in (`take` resolves to true). Requests a new challenge when
 * one is about to expire or an attempt fails. Failures are not reported, because the user did not request
 * anything.
 */
export async function offerInField(
  signal: AbortSignal,
  take: (picked: Picked) => Promise<boolean>,
): Promise<void> {
  if (!(await canOfferInField().catch(() => false))) return;
  for (let failures = 0; failures < maxFailures && !signal.aborted;) {
    try {
      const picked = await pickOnce(signal);
      failures = 0;
      if (picked && !signal.aborted && (await take(picked))) return;
    } catch (error) {
      if (signal.aborted || isHopeless(error)) return;
      // The browser shows one prompt at a time, so don't interrupt one that the user opened with a button.
      await whenPromptClosed();
      await waitForRetry(backOffMs(failures), signal);
      failures += 1;
    }
  }
}
