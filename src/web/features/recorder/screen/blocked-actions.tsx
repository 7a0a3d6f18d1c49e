import { Download } from 'lucide-react';
import { Trans } from '@lingui/react/macro';
import type { BlockReason } from '#device/takes/block-reason.ts';
import { viewer } from '#device/takes/viewer.ts';
import { useAction } from '#web/request-states/use-action.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { exportTake } from '#web/features/recorder/device-storage/copies.ts';
import { DeleteBlocked } from '#web/features/recorder/device-storage/delete-blocked.tsx';
import { SaveToLibrary } from '#web/features/recorder/device-storage/save-to-library.tsx';
import { recorder } from '#web/features/recorder/recorder.ts';
import type { Take } from '#web/features/recorder/take/take.ts';

/** The ways out for a stopped take that the server doesn't take. */
export function BlockedActions({ take, blockReason }: { take: Take; blockReason: BlockReason }) {
  const { userId } = useStore(viewer);
  const save = useAction(() => exportTake(take));
  return (
    <>
      {blockReason === 'deleted' && take.ownerId !== null && take.ownerId === userId && (
        <SaveToLibrary take={take} onSaved={recorder.dismiss} />
      )}
      <Button icon={<Download />} isPending={save.isPending} onPress={save.run}>
        <Trans>Save as file</Trans>
      </Button>
      <DeleteBlocked takeId={take.id} onDeleted={recorder.dismiss} />
    </>
  );
}
