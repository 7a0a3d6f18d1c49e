import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx';
import { FinishTakes, type FinishedTakes } from '#web/features/accounts/parts/finish-takes.tsx';

export interface SignOutDialogProps {
  title: string;
  action: string;
  takes: FinishedTakes;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before a recording device is signed out whether its recording may finish. */
export function SignOutDialog({ title, action, takes, onConfirm, onClose }: SignOutDialogProps) {
  return (
    <ConfirmDialog title={title} action={action} onConfirm={onConfirm} onClose={onClose}>
      <FinishTakes {...takes} />
    </ConfirmDialog>
  );
}
