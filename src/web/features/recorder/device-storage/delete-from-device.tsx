import { type ReactNode, useState } from 'react';
import { Trans } from '@lingui/react/macro';
import { Trash2 } from 'lucide-react';
import { useAction } from '#web/request-states/use-action.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx';

interface DeleteFromDeviceProps {
  onDelete: () => Promise<void>;
  titleId?: string | undefined;
  /** What is lost by it. */
  children: ReactNode;
}

/** Deletes what only this device has, after a question. */
export function DeleteFromDevice({ onDelete, titleId, children }: DeleteFromDeviceProps) {
  const [isAsking, setAsking] = useState(false);
  const remove = useAction(onDelete);
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
          {children}
        </ConfirmDialog>
      )}
    </>
  );
}
