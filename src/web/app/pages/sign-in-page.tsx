import { useLocation } from 'wouter';
import { AccountCard } from '#web/features/accounts/sign-in/account-card.tsx';
import { afterSignIn, paths } from '#web/app/paths.ts';

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
