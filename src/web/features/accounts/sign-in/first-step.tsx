import { useState, type ReactNode } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { Mail } from 'lucide-react';
import type { CodeSent, SecondFactorWanted, SignedIn } from '#contract/accounts-api.ts';
import type { Provider } from '#contract/providers-api.ts';
import { useSession } from '#web/api/session.ts';
import type { SignInPromptForm as Form } from '#web/api/sign-in-prompt.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Checkbox } from '#web/ui/controls/checkbox.tsx';
import { UnreachableNotice } from '#web/request-states/unreachable-notice.tsx';
import { useProviderList } from '#web/features/accounts/providers/use-providers.ts';
import type { ProviderEnd } from '#web/features/accounts/providers/provider-flow.ts';
import { type ProviderState, useProviderFlow } from '#web/features/accounts/providers/use-provider-flow.ts';
import { OtherMethods } from './other-methods.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { SignUpForm } from './sign-up-form.tsx';
import styles from '#web/features/accounts/accounts.module.css';

export interface FirstStepProps {
  form: Form;
  /** Set if it has just opened over another screen, so that the user can type immediately. */
  takesFocus: boolean;
  /** The button or link that opens the other form. */
  other: ReactNode;
  onAnswer: (reply: SignedIn | SecondFactorWanted | CodeSent | ProviderEnd, email?: string) => Promise<void>;
  onProviderError: (error: unknown, provider: Provider) => boolean;
  onForgot: (email: string) => void;
}

/** Nothing else is shown while the user is at the provider. */
const isUnderWay = ({ at }: ProviderState): boolean => at !== 'idle' && at !== 'failed';

/**
 * Whether the form may be hidden: until the providers are known. It may not if the set-up code for the first account
 * is required, which is entered in it and which a provider needs, too.
 */
const mayHideForm = ({
  isLoading,
  hasProviders,
  needsForm,
}: {
  isLoading: boolean;
  hasProviders: boolean;
  needsForm: boolean;
}): boolean => (isLoading || hasProviders) && !needsForm;

/** Whether the form is shown. Once shown, it stays, with what the user has typed. */
function useEmailForm(mayHide: boolean): { isHidden: boolean; isAsked: boolean; show: () => void } {
  const [shown, setShown] = useState<'no' | 'at-once' | 'asked'>('no');
  if (shown === 'no' && !mayHide) setShown('at-once');
  return {
    isHidden: shown === 'no' && mayHide,
    isAsked: shown === 'asked',
    show: () => setShown('asked'),
  };
}

/** The sign-in or sign-up methods: providers, a passkey, then an e-mail address with a password. */
export function FirstStep({ form, takesFocus, other, onAnswer, onProviderError, onForgot }: FirstStepProps) {
  const { t } = useLingui();
  const { needsSetUpCode } = useSession();
  const { providers, isLoading, isUnanswered } = useProviderList();
  const [isShared, setShared] = useState(false);
  const [setUpCode, setSetUpCode] = useState('');
  const flow = useProviderFlow({
    intent: 'sign-in',
    remember: !isShared,
    setUpCode: setUpCode.trim(),
    onEnd: (end) => onAnswer(end),
    onError: onProviderError,
  });
  const isSignIn = form === 'sign-in';
  const otherMethods = (
    <OtherMethods form={form} remember={!isShared} providers={providers} flow={flow} onSignedIn={onAnswer} />
  );
  const hasProviders = providers.length > 0;
  const emailForm = useEmailForm(
    mayHideForm({ isLoading, hasProviders, needsForm: !isSignIn && needsSetUpCode }),
  );
  if (isUnderWay(flow.state)) return otherMethods;
  return (
    <div className={styles.panel}>
      {isUnanswered && <UnreachableNotice />}
      {otherMethods}
      {emailForm.isHidden ? (
        <Button
          size="l"
          icon={<Mail aria-hidden />}
          className={styles.submit}
          onPress={emailForm.show}
        >{t`Use email`}</Button>
      ) : (
        <EmailForm
          {...{ isSignIn, isShared, setUpCode, onAnswer, onForgot }}
          takesFocus={takesFocus || emailForm.isAsked}
          hasOtherMethods={isSignIn || hasProviders}
          onSetUpCode={setSetUpCode}
        />
      )}
      {isSignIn && (
        <Checkbox
          isSelected={isShared}
          onChange={setShared}
          label={t`Shared computer: sign me out after 30 minutes of inactivity`}
        />
      )}
      <div className={styles.other}>
        <span>{isSignIn ? <Trans>No account yet?</Trans> : <Trans>Already have an account?</Trans>}</span>
        {other}
      </div>
    </div>
  );
}

interface EmailFormProps extends Pick<FirstStepProps, 'takesFocus' | 'onAnswer' | 'onForgot'> {
  isSignIn: boolean;
  isShared: boolean;
  hasOtherMethods: boolean;
  setUpCode: string;
  onSetUpCode: (code: string) => void;
}

function EmailForm({
  isSignIn,
  isShared,
  hasOtherMethods,
  setUpCode,
  takesFocus,
  onSetUpCode,
  onAnswer,
  onForgot,
}: EmailFormProps) {
  return (
    <>
      {hasOtherMethods && (
        <div className={styles.or}>
          <span>
            <Trans>or</Trans>
          </span>
        </div>
      )}
      {isSignIn ? (
        <SignInForm takesFocus={takesFocus} isShared={isShared} onAnswer={onAnswer} onForgot={onForgot} />
      ) : (
        <SignUpForm
          takesFocus={takesFocus}
          setUpCode={setUpCode}
          onSetUpCode={onSetUpCode}
          onAnswer={onAnswer}
        />
      )}
    </>
  );
}
