import { useState } from 'react';
import { Trans } from '@lingui/react/macro';
import { Trash2 } from 'lucide-react';
import { useAction } from '#web/request-states/use-action.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx';
import { deleteBlockedTake } from './copies.ts';

interface DeleteBlockedProps {
  takeId: string;
  titleId?: string;
  onDeleted?: () => void;
}

/** Deletes a take that only this device has and that the server doesn't take, after a question. */
export function DeleteBlocked({ takeId, titleId, onDeleted }: DeleteBlockedProps) {
  const [isAsking, setAsking] = useState(false);
  const remove = useAction(async () => {
    if (await deleteBlockedTake(takeId)) onDeleted?.();
  });
  return (
    <>
      <Button
        variant="plain"
        icon={<Trash2 aria-hidden />}
        aria-describedby={titleId}
        isPending={remove.isPending}
        onPress={() => setAsking(true)}
      >
        <Trans>Delete from this device</Trans>
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={<Trans>Delete from this device</Trans>}
          action={<Trans>Delete permanently</Trans>}
          onConfirm={remove.run}
          onClose={() => setAsking(false)}
        >
          <Trans>There’s no other copy of this recording. You can’t undo this.</Trans>
        </ConfirmDialog>
      )}
    </>
  );
}
