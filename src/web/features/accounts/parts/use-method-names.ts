import { useLingui } from '@lingui/react/macro';
import type { Provider } from '#contract/providers-api.ts';
import { iso } from '#web/i18n/iso.ts';

/** What a way to sign in is called: those of Earshot's own, and the providers by their names. */
export function useMethodNames(providers: readonly Provider[]): (method: string) => string {
  const { t } = useLingui();
  const own: Record<string, string> = {
    password: t`password`,
    passkey: t`passkey`,
    totp: t`authenticator app`,
    'recovery-code': t`recovery code`,
  };
  return (method) => own[method] ?? iso(providers.find(({ id }) => id === method)?.name ?? method);
}
