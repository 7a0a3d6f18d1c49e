import { Trans, useLingui } from '@lingui/react/macro';
import type { SignedIn } from '#contract/accounts-api.ts';
import type { Provider } from '#contract/providers-api.ts';
import { PasskeyButton } from '../passkeys/passkey-button.tsx';
import { ProviderButtons } from '../providers/provider-buttons.tsx';
import type { ProviderEnd } from '../providers/provider-flow.ts';
import { useProviderFlow } from '../providers/use-provider-flow.ts';
import { useProviders } from '../providers/use-providers.ts';
import styles from '../accounts.module.css';

export interface OtherWaysProps {
  form: 'sign-in' | 'sign-up';
  remember: boolean;
  /** For the first account of a server; empty where none was typed. */
  setUpCode: string;
  onAnswer: (reply: SignedIn | ProviderEnd) => Promise<void>;
  onError: (error: unknown, provider: Provider) => boolean;
}

/** What needs no typing: a passkey, and the accounts people have elsewhere. */
export function OtherWays({ form, remember, setUpCode, onAnswer, onError }: OtherWaysProps) {
  const { t } = useLingui();
  const providers = useProviders();
  const { state, start, cancel } = useProviderFlow({ intent: 'sign-in', remember, setUpCode, onEnd: onAnswer, onError });
  const isSignIn = form === 'sign-in';
  if (!isSignIn && providers.length === 0) return null;
  return (
    <>
      <div className={styles.or}><span><Trans>or</Trans></span></div>
      <div className={styles.providers}>
        {isSignIn && <PasskeyButton remember={remember} onSignedIn={onAnswer} />}
        <ProviderButtons providers={providers} labelOf={(name) => t`Continue with ${name}`} state={state} onChoose={start} onCancel={cancel} />
      </div>
    </>
  );
}
