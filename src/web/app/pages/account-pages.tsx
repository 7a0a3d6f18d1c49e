import { useLocation } from 'wouter';
import { listeningPathOf } from '#contract/links.ts';
import { AccountCard } from '#web/features/accounts/sign-in/account-card.tsx';
import { afterSignIn, paths } from '#web/app/paths.ts';
import { useLingui } from '@lingui/react/macro';
import { ResetPasswordCard } from '#web/features/accounts/links/reset-password-card.tsx';
import { showToast } from '#web/ui/overlays/toast.tsx';

/**
 * Opens the page after a sign-in, unless the user has opened another page while it was being confirmed. A listening
 * page is not a page of the app, so the browser loads it.
 */
function useOpenAfterSignIn(from: string): (returnTo: string | null) => void {
  const [, navigate] = useLocation();
  return (returnTo) => {
    if (location.pathname !== from) return;
    const link = listeningPathOf(returnTo ?? '') ?? listeningPathOf(location.search);
    if (link === null) navigate(afterSignIn(returnTo), { replace: true });
    else location.replace(link);
  };
}

export function SignInPage() {
  return (
    <AccountCard
      form="sign-in"
      otherHref={paths.signUp}
      homeHref={paths.library}
      onDone={useOpenAfterSignIn(paths.signIn)}
    />
  );
}

export function SignUpPage() {
  return (
    <AccountCard
      form="sign-up"
      otherHref={paths.signIn}
      homeHref={paths.library}
      onDone={useOpenAfterSignIn(paths.signUp)}
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
