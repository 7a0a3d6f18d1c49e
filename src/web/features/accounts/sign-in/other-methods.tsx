import { useLingui } from '@lingui/react/macro';
import type { SignedIn } from '#contract/accounts-api.ts';
import type { Provider } from '#contract/providers-api.ts';
import { PasskeyButton } from '#web/features/accounts/passkeys/passkey-button.tsx';
import { ProviderButtons } from '#web/features/accounts/providers/provider-buttons.tsx';
import type { ProviderState } from '#web/features/accounts/providers/use-provider-flow.ts';
import styles from '#web/features/accounts/accounts.module.css';

export interface OtherMethodsProps {
  form: 'sign-in' | 'sign-up';
  remember: boolean;
  providers: readonly Provider[];
  flow: { state: ProviderState; start: (provider: Provider) => void; cancel: () => void };
  onSignedIn: (signedIn: SignedIn) => Promise<void>;
}

/** The sign-in methods without typing: providers, then a passkey. */
export function OtherMethods({ form, remember, providers, flow, onSignedIn }: OtherMethodsProps) {
  const { t } = useLingui();
  return (
    <div className={styles.providers}>
      <ProviderButtons
        providers={providers}
        labelOf={(name) => t`Continue with ${name}`}
        state={flow.state}
        onChoose={flow.start}
        onCancel={flow.cancel}
      />
      {form === 'sign-in' && <PasskeyButton remember={remember} onSignedIn={onSignedIn} />}
    </div>
  );
}
