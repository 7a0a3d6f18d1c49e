import { useEffect, useEffectEvent } from 'react';
import type { SignedIn } from '#contract/accounts-api.ts';
import { call } from '#web/api/call.ts';
import { useErrorMessage } from '#web/api/error-messages.ts';
import { showFailure } from '#web/ui/overlays/toast.tsx';
import { askForPasskey, canOfferInField, stopAsking } from './ask-browser.ts';

/** Waits until the person picks a passkey in the field; null where the browser cannot offer any, or none was picked. */
async function offerInField(isHere: () => boolean) {
  try {
    if (!await canOfferInField()) return null;
    const { flow, options } = await call('beginPasskeySignIn');
    return isHere() ? { flow, credential: await askForPasskey(options, true) } : null;
  } catch {
    // Nothing was asked of the person, so nothing is said of a failure.
    return null;
  }
}

/** Offers the passkeys of this device in the e-mail field, where the browser can; the person may as well never notice. */
export function usePasskeysInField(remember: boolean, onSignedIn: (signedIn: SignedIn) => Promise<void>): void {
  const errorMessage = useErrorMessage();
  const finish = useEffectEvent(async (picked: NonNullable<Awaited<ReturnType<typeof offerInField>>>) => {
    try {
      await onSignedIn(await call('finishPasskeySignIn', { body: { ...picked, remember } }));
    } catch (error) {
      showFailure(errorMessage(error));
    }
  });
  useEffect(() => {
    let isHere = true;
    void offerInField(() => isHere).then((picked) => { if (picked && isHere) void finish(picked); });
    return () => {
      isHere = false;
      void stopAsking();
    };
  }, []);
}
