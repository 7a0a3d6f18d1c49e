import { useLingui } from '@lingui/react/macro';
import type { SignedIn } from '#contract/accounts-api.ts';
import { call } from '#web/api/call.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { AccountExists } from './account-exists.tsx';
import { CodeForm } from './code-form.tsx';
import { ForgotForm } from './forgot-form.tsx';
import { SecondFactorForm } from './second-factor-form.tsx';
import type { SignInStep } from './sign-in-step.ts';
import styles from '#web/features/accounts/accounts.module.css';

export interface NextStepProps {
  step: SignInStep;
  onSignedIn: (signedIn: SignedIn) => Promise<void>;
  onBack: () => void;
}

/** The title of each step. */
export function useStepTitles(): Record<SignInStep['at'], string> {
  const { t } = useLingui();
  return {
    'second-factor': t`Two-step sign-in`,
    'sign-up-code': t`Check your email`,
    forgot: t`Set a new password`,
    'account-exists': t`You already have an account`,
  };
}

/** A step after the first form, and a button to return to it. */
export function NextStep({ step, onSignedIn, onBack }: NextStepProps) {
  const { t } = useLingui();
  return (
    <div className={styles.panel}>
      {step.at === 'second-factor' && <SecondFactorForm wanted={step.wanted} onSignedIn={onSignedIn} />}
      {step.at === 'sign-up-code' && (
        <CodeForm
          email={step.email}
          sent={step.sent}
          submitLabel={t`Create account`}
          onCode={async (flow, code) => onSignedIn(await call('verifySignUp', { body: { flow, code } }))}
          onResend={(flow) => call('resendSignUpCode', { body: { flow } })}
        />
      )}
      {step.at === 'forgot' && <ForgotForm email={step.email} />}
      {step.at === 'account-exists' && <AccountExists provider={step.provider} methods={step.methods} />}
      <div className={styles.ways}>
        <Button variant="plain" onPress={onBack}>
          {step.at === 'account-exists' ? t`Sign in another way` : t`Back`}
        </Button>
      </div>
    </div>
  );
}
