import { Trans } from '@lingui/react/macro';
import { Trash2 } from 'lucide-react';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';

/** The empty trash. */
export function EmptyTrash() {
  return (
    <EmptyState icon={<Trash2 />} title={<Trans>The trash is empty</Trans>}>
      <Trans>You can restore recordings you move to the trash from here.</Trans>
    </EmptyState>
  );
}
