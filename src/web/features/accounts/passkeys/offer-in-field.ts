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

/**
 * So long before its end a question is put again: who picks just then still has the time to prove themself.
 */
const renewedBeforeMs = 60 * second;
/** A browser that refused so often in a row will not offer any. */
const mostFailures = 8;

/**
 * Waits until a passkey is picked; null where the question grew old before. One that nobody looks at is not
 * put again.
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
 * Offers passkeys in the field until one has signed in (`take` says so), and again whenever the question
 * grows old or a try fails. Nothing was asked of the person, so nothing is said of a failure to offer.
 */
export async function offerInField(
  signal: AbortSignal,
  take: (picked: Picked) => Promise<boolean>,
): Promise<void> {
  if (!(await canOfferInField().catch(() => false))) return;
  for (let failures = 0; failures < mostFailures && !signal.aborted;) {
    try {
      const picked = await pickOnce(signal);
      failures = 0;
      if (picked && !signal.aborted && (await take(picked))) return;
    } catch (error) {
      if (signal.aborted || isHopeless(error)) return;
      // The browser asks one thing at a time: what the person began by a button is not cut off.
      await whenPromptClosed();
      await waitForRetry(backOffMs(failures), signal);
      failures += 1;
    }
  }
}
