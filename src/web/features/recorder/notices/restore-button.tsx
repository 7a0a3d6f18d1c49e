import { Undo2 } from 'lucide-react';
import { Trans } from '@lingui/react/macro';
import { reportLinksLeftOff } from '#web/recordings/links-left-off.ts';
import { useAction } from '#web/request-states/use-action.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { restoreLocalTake } from '#web/features/recorder/recovery/take-actions.ts';

/** Restores a take that was moved to the trash, here or on another device. */
export function RestoreButton({ takeId }: { takeId: string }) {
  const restore = useAction(async () => {
    await restoreLocalTake(takeId);
    await reportLinksLeftOff([takeId]);
  });
  return (
    <Button icon={<Undo2 />} isPending={restore.isPending} onPress={restore.run}>
      <Trans>Restore</Trans>
    </Button>
  );
}
