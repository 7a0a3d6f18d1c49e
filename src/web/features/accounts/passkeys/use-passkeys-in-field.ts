import { useEffect, useEffectEvent } from 'react';
import type { SignedIn } from '#contract/accounts-api.ts';
import { call } from '#web/api/call.ts';
import { useErrorMessage } from '#web/api/error-messages.ts';
import { showFailure } from '#web/ui/overlays/toast.tsx';
import { cancelPasskeyRequest } from './web-authn.ts';
import { offerInField, type Picked } from './offer-in-field.ts';

/** Offers the device's passkeys in the e-mail field, if the browser supports it. */
export function usePasskeysInField(
  remember: boolean,
  onSignedIn: (signedIn: SignedIn) => Promise<void>,
): void {
  const errorMessage = useErrorMessage();
  const finish = useEffectEvent(async (picked: Picked) => {
    try {
      await onSignedIn(await call('finishPasskeySignIn', { body: { ...picked, remember } }));
      return true;
    } catch (error) {
      showFailure(() => errorMessage(error));
      return false;
    }
  });
  useEffect(() => {
    const here = new AbortController();
    void offerInField(here.signal, (picked) => finish(picked));
    return () => {
      here.abort();
      void cancelPasskeyRequest();
    };
  }, []);
}
