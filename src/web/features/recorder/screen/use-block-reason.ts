import { deviceTakes } from '#device/takes/device-takes.ts';
import { ownerStandings } from '#device/takes/owner-standings.ts';
import type { BlockReason } from '#device/takes/block-reason.ts';
import { takeBlockReasonOf } from '#web/features/recorder/take/take-safety.ts';
import type { Take } from '#web/features/recorder/take/take.ts';
import { useStore } from '#web/ui/hooks/use-store.ts';

/** Why the server doesn't take the take of this page, from the page's own facts and the device's record. */
export function useBlockReason(take: Take | null): BlockReason | null {
  const standings = useStore(ownerStandings);
  const { takes } = useStore(deviceTakes);
  if (take === null) return null;
  return (
    takeBlockReasonOf(take, standings) ?? takes.find(({ id }) => id === take.id)?.facts.blockReason ?? null
  );
}
