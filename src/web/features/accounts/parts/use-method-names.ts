import { useLingui } from '@lingui/react/macro';
import type { Provider } from '#contract/providers-api.ts';
import { iso } from '#web/i18n/iso.ts';

/** Returns the name of a sign-in method: one of Earshot's own, or a provider. */
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
