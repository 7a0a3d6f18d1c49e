import { useState, type ReactNode } from 'react';
import { useLingui } from '@lingui/react/macro';
import type { CodeSent, SecondFactorWanted, SignedIn } from '#contract/accounts-api.ts';
import type { Provider } from '#contract/providers-api.ts';
import { ApiError } from '#web/api/api-error.ts';
import type { SignInPromptForm as Form } from '#web/api/sign-in-prompt.ts';
import { offerLink } from '#web/features/accounts/providers/link-offer.ts';
import type { ProviderEnd } from '#web/features/accounts/providers/provider-flow.ts';
import { FirstStep } from './first-step.tsx';
import { NextStep, useStepTitles } from './next-step.tsx';
import { secondFactorOf, type SignInStep } from './sign-in-step.ts';
import { useWelcome } from '#web/features/accounts/parts/use-welcome.ts';

export interface SignInSurfaceProps {
  form: Form;
  /** Set if it has just opened over another screen, so that the user can type immediately. */
  takesFocus?: boolean;
  /** The first step to show if a redirect returned with another question. */
  firstStep?: SignInStep | null;
  /** Called once the session is confirmed. */
  onDone?: () => void;
  /** The button or link that opens the other form. */
  other: ReactNode;
  /** Renders title and content in a dialog or on a page. */
  children: (title: string, content: ReactNode) => ReactNode;
}

/** All methods to sign in or create an account, step by step. Used in the dialog and on the pages. */
export function SignInSurface({
  form,
  takesFocus = false,
  firstStep = null,
  onDone,
  other,
  children,
}: SignInSurfaceProps) {
  const { t } = useLingui();
  const welcome = useWelcome();
  const titles = useStepTitles();
  const [step, setStep] = useState<SignInStep | null>(firstStep);

  const handleAnswer = async (reply: SignedIn | SecondFactorWanted | CodeSent | ProviderEnd, email = '') => {
    if ('user' in reply) {
      await welcome(reply);
      onDone?.();
    } else if (reply.next === 'mfa') setStep({ at: 'second-factor', wanted: secondFactorOf(reply) });
    else setStep({ at: 'sign-up-code', sent: reply, email });
  };
  const handleProviderError = (error: unknown, provider: Provider): boolean => {
    if (!(error instanceof ApiError) || error.code !== 'account-exists') return false;
    offerLink(provider);
    setStep({ at: 'account-exists', provider, methods: error.problem?.methods ?? [] });
    return true;
  };

  if (step)
    return children(
      titles[step.at],
      <NextStep step={step} onSignedIn={handleAnswer} onBack={() => setStep(null)} />,
    );
  return children(
    form === 'sign-in' ? t`Sign in` : t`Create account`,
    <FirstStep
      form={form}
      takesFocus={takesFocus}
      other={other}
      onAnswer={handleAnswer}
      onProviderError={handleProviderError}
      onForgot={(email) => setStep({ at: 'forgot', email })}
    />,
  );
}
