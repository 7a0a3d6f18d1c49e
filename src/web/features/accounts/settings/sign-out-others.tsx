import { useState } from 'react';
import { useLingui } from '@lingui/react/macro';
import type { RunningTakeOf } from '#contract/credentials-api.ts';
import { call } from '#web/api/call.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { showToast } from '#web/ui/overlays/toast.tsx';
import { useFinishTakes } from '#web/features/accounts/parts/finish-takes.tsx';
import { useAction } from '#web/request-states/use-action.ts';
import { SignOutDialog } from './sign-out-dialog.tsx';

/**
 * Signs out every other device. Asks first if one of them is recording, including devices that were signed out
 * earlier.
 */
export function SignOutOthers({
  deviceCount,
  takes,
  onChanged,
}: {
  deviceCount: number;
  takes: readonly RunningTakeOf[];
  onChanged: () => Promise<void>;
}) {
  const { t } = useLingui();
  const [isConfirming, setConfirming] = useState(false);
  const finished = useFinishTakes(takes);
  const end = useAction(async () => {
    await call('endOtherSessions', { query: { finishTakesOf: finished.finishTakesOf.join(',') } });
    await onChanged();
    showToast({ message: () => t`You’ve been signed out everywhere else.`, tone: 'success' });
  });
  if (deviceCount < 2 && takes.length === 0) return null;
  return (
    <>
      <Button
        variant="danger"
        data-ends={takes.length === 0 || undefined}
        isPending={end.isPending}
        onPress={() => {
          if (takes.length > 0) setConfirming(true);
          else end.run();
        }}
      >{t`Sign out everywhere else`}</Button>
      {isConfirming && (
        <SignOutDialog
          title={t`Sign out everywhere else?`}
          action={t`Sign out everywhere else`}
          takes={finished}
          onConfirm={() => end.run()}
          onClose={() => setConfirming(false)}
        />
      )}
    </>
  );
}
