import { Trans } from '@lingui/react/macro';
import { ownerName } from '#web/recordings/owners/owner-name.ts';
import type { ForeignTake } from '#web/features/recorder/take/take.ts';

/** Whose recording runs in this page, for a viewer who may see nothing else of it. */
export function ForeignTakeTitle({ ownerId }: Pick<ForeignTake, 'ownerId'>) {
  const name = ownerName(ownerId);
  return name === null ? (
    <Trans>A recording of another account is running</Trans>
  ) : (
    <Trans>A recording of {name} is running</Trans>
  );
}

/** What happens to it. */
export const ForeignTakeHint = () => (
  <Trans>The recording stays in that account. Stop it to record something yourself. Nothing gets lost.</Trans>
);
