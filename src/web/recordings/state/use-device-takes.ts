import { useMemo } from 'react';
import type { DeviceTake } from '#device/takes/device-take.ts';
import { deviceTakes } from '#device/takes/device-takes.ts';
import { useStore } from '#web/ui/hooks/use-store.ts';

const inUse = (takes: readonly DeviceTake[]) => takes.filter((take) => take.deletedAtMs === null);
const inTrash = (takes: readonly DeviceTake[]) => takes.filter((take) => take.deletedAtMs !== null);

/** The takes on this device that the viewer may see, newest first, without the trash. */
export function useDeviceTakes(): readonly DeviceTake[] {
  const { takes } = useStore(deviceTakes);
  return useMemo(() => inUse(takes), [takes]);
}

/** The takes on this device that were moved to the trash, newest first. */
export function useTrashedDeviceTakes(): readonly DeviceTake[] {
  const { takes } = useStore(deviceTakes);
  return useMemo(() => inTrash(takes), [takes]);
}

/** False until this device's takes have been read. */
export function useDeviceTakesLoaded(): boolean {
  return useStore(deviceTakes).isLoaded;
}
