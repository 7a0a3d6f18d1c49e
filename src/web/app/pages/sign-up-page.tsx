import { useLocation } from 'wouter';
import { AccountCard } from '#web/features/accounts/sign-in/account-card.tsx';
import { afterSignIn, paths } from '#web/app/paths.ts';

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
