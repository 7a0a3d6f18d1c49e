import { useState } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import type { SignInMethods, User } from '#contract/accounts-api.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { showToast } from '#web/ui/overlays/toast.tsx';
import { PasswordForm } from './password-form.tsx';
import { Section } from '#web/features/accounts/parts/section.tsx';

/** Sets or changes the password. */
export function PasswordSection({ user, methods }: { user: User; methods: SignInMethods }) {
  const { t } = useLingui();
  const [isOpen, setOpen] = useState(false);
  const { hasPassword } = methods;
  const handleDone = () => {
    setOpen(false);
    showToast({ message: () => t`Password changed.`, tone: 'success' });
  };
  return (
    <Section
      title={<Trans>Password</Trans>}
      hint={
        hasPassword ? undefined : (
          <Trans>Your account has no password. You can add one as another way to sign in.</Trans>
        )
      }
    >
      <Button onPress={() => setOpen(true)}>{hasPassword ? t`Change password` : t`Add password`}</Button>
      {isOpen && (
        <Dialog
          title={hasPassword ? t`Change password` : t`Add password`}
          size="s"
          isOpen
          onOpenChange={setOpen}
        >
          <PasswordForm user={user} hasPassword={hasPassword} onDone={handleDone} />
        </Dialog>
      )}
    </Section>
  );
}
