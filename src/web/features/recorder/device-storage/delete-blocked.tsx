import { Trans } from '@lingui/react/macro';
import { deleteBlockedTake } from './copies.ts';
import { DeleteFromDevice } from './delete-from-device.tsx';

interface DeleteBlockedProps {
  takeId: string;
  titleId?: string;
  onDeleted?: () => void;
}

/** Deletes a take that only this device has and that the server doesn't take, after a question. */
export function DeleteBlocked({ takeId, titleId, onDeleted }: DeleteBlockedProps) {
  const remove = async () => {
    if (await deleteBlockedTake(takeId)) onDeleted?.();
  };
  return (
    <DeleteFromDevice onDelete={remove} titleId={titleId}>
      <Trans>There’s no other copy of this recording. You can’t undo this.</Trans>
    </DeleteFromDevice>
  );
}
