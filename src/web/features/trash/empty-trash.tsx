import { Trans } from '@lingui/react/macro';
import { Trash2 } from 'lucide-react';
import { SignInToSave } from '#web/recordings/owners/other-owners.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';

/** The empty trash. A signed-out viewer sees only that of this device. */
export function EmptyTrash({ isSignedIn }: { isSignedIn: boolean }) {
  if (!isSignedIn)
    return (
      <EmptyState icon={<Trash2 />} action={<SignInToSave />}>
        <Trans>Sign in to see the trash of your account.</Trans>
      </EmptyState>
    );
  return (
    <EmptyState icon={<Trash2 />} title={<Trans>The trash is empty</Trans>}>
      <Trans>You can restore recordings you move to the trash from here.</Trans>
    </EmptyState>
  );
}
