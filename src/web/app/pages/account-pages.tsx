import { useLocation } from 'wouter';
import { AccountCard } from '#web/features/accounts/sign-in/account-card.tsx';
import { afterSignIn, paths } from '#web/app/paths.ts';
import { useLingui } from '@lingui/react/macro';
import { ResetPasswordCard } from '#web/features/accounts/links/reset-password-card.tsx';
import { showToast } from '#web/ui/overlays/toast.tsx';

export function SignInPage() {
  const [, navigate] = useLocation();
  return (
    <AccountCard
      form="sign-in"
      otherHref={paths.signUp}
      homeHref={paths.library}
      onDone={(returnTo) => navigate(afterSignIn(returnTo), { replace: true })}
    />
  );
}

export function SignUpPage() {
  const [, navigate] = useLocation();
  return (
    <AccountCard
      form="sign-up"
      otherHref={paths.signIn}
      homeHref={paths.library}
      onDone={(returnTo) => navigate(afterSignIn(returnTo), { replace: true })}
    />
  );
}

export function ResetPasswordPage() {
  const { t } = useLingui();
  const [, navigate] = useLocation();
  const handleDone = () => {
    showToast({ message: () => t`Your new password is set. Sign in with it now.`, tone: 'success' });
    navigate(paths.signIn, { replace: true });
  };
  return <ResetPasswordCard onDone={handleDone} />;
}
