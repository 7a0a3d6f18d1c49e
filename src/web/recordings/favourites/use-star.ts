import { useMemo } from 'react';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { pendingStars, setStar } from './stars.ts';

/** The stars that are shown before the server has them, by recording. */
export function usePendingStars(): ReadonlyMap<string, boolean> {
  const entries = useStore(pendingStars);
  return useMemo(
    () => new Map(entries.map(({ target, payload }) => [target, payload.isFavourite])),
    [entries],
  );
}

interface Starred {
  id: string;
  isFavourite: boolean;
}

/** Whether a recording is a favourite, including a change that the server does not have yet. */
export function useStar({ id, isFavourite }: Starred): { isOn: boolean; toggle: () => void } {
  const isOn = usePendingStars().get(id) ?? isFavourite;
  return { isOn, toggle: () => setStar(id, !isOn) };
}
