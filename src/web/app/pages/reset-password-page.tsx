import { useLingui } from '@lingui/react/macro';
import { useLocation } from 'wouter';
import { ResetPasswordCard } from '#web/features/accounts/links/reset-password-card.tsx';
import { showToast } from '#web/ui/overlays/toast.tsx';
import { paths } from '#web/app/paths.ts';

export function ResetPasswordPage() {
  const { t } = useLingui();
  const [, navigate] = useLocation();
  const handleDone = () => {
    showToast({ message: () => t`Your new password is set. Sign in with it now.`, tone: 'success' });
    navigate(paths.signIn, { replace: true });
  };
  return <ResetPasswordCard onDone={handleDone} />;
}
