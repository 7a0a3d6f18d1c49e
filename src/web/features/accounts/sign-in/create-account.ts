import type { CodeSent, SignedIn } from '#contract/accounts-api.ts';
import { call } from '#web/api/call.ts';
import { createPasskey } from '#web/features/accounts/passkeys/web-authn.ts';

export interface NewAccountFields {
  email: string;
  password: string;
  setUpCode: string;
}

/** Sends what was typed; with a passkey the browser makes one in between. @throws ApiError */
export async function submitNewAccount(
  { email, password, setUpCode }: NewAccountFields,
  how: { byPasskey: boolean; locale: string },
): Promise<SignedIn | CodeSent> {
  const account = { email: email.trim(), locale: how.locale, ...(setUpCode === '' ? {} : { setUpCode }) };
  if (!how.byPasskey) return call('signUp', { body: { ...account, password } });
  const { flow, options } = await call('startPasskeySignUp', { body: account });
  return call('finishPasskeySignUp', { body: { flow, credential: await createPasskey(options) } });
}
