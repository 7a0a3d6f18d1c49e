import { Trans } from '@lingui/react/macro';
import { lostStandingOf, ownerStandings } from '#device/takes/owner-standings.ts';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { useOnAirSign } from '#web/recordings/on-air/use-on-air-text.ts';
import { ownerName } from '#web/recordings/owners/owner-name.ts';
import type { ForeignTake } from '#web/features/recorder/take/take.ts';
import { useForeignOnAir } from '#web/features/recorder/use-take-audience.ts';

/**
 * Whose recording runs in this page, for a viewer who may see nothing else of it. Who is near the microphone also sees
 * that it may be heard.
 */
export function ForeignTakeTitle({ ownerId }: Pick<ForeignTake, 'ownerId'>) {
  const name = ownerName(ownerId);
  const onAir = useOnAirSign(useForeignOnAir(ownerId));
  return (
    <>
      {name === null ? (
        <Trans>A recording of another account is running</Trans>
      ) : (
        <Trans>A recording of {name} is running</Trans>
      )}
      {onAir && ` · ${onAir.name} · ${onAir.who}`}
    </>
  );
}

/** What happens to it. */
export function ForeignTakeHint({ ownerId }: Pick<ForeignTake, 'ownerId'>) {
  const standings = useStore(ownerStandings);
  return lostStandingOf(standings, ownerId) === 'deleted' ? (
    <Trans>The account of this recording was deleted. Stop it to record something yourself.</Trans>
  ) : (
    <Trans>
      The recording stays in that account. Stop it to record something yourself. Nothing gets lost.
    </Trans>
  );
}
