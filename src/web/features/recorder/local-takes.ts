import { useMemo } from 'react';
import { useStore } from '#web/ui/hooks/use-store.ts';
import type { LocalTake } from '#web/features/recording/local/local-take.ts';
import { localTakes } from '#web/features/recording/local/local-takes-store.ts';

export type { LocalTake } from '#web/features/recording/local/local-take.ts';

const inUse = (takes: readonly LocalTake[]) => takes.filter((take) => take.deletedAtMs === null);
const inTrash = (takes: readonly LocalTake[]) => takes.filter((take) => take.deletedAtMs !== null);

/** The takes on this device that the person in front of it may see, newest first, without the trash. */
export function useLocalTakes(): readonly LocalTake[] {
  const { takes } = useStore(localTakes);
  return useMemo(() => inUse(takes), [takes]);
}

/** Those of them that were moved to the trash, newest first. */
export function useTrashedLocalTakes(): readonly LocalTake[] {
  const { takes } = useStore(localTakes);
  return useMemo(() => inTrash(takes), [takes]);
}

/** False until this device was looked at for the first time. */
export function useLocalTakesLoaded(): boolean {
  return useStore(localTakes).isLoaded;
}
