import { useStore } from '#web/ui/hooks/use-store.ts';
import { pendingStars, setStar } from './stars.ts';

interface Starred {
  id: string;
  isFavourite: boolean;
}

/** Whether a recording is a favourite, as this person wants it: the server may not know yet. */
export function useStar({ id, isFavourite }: Starred): { isOn: boolean; toggle: () => void } {
  const isOn = useStore(pendingStars).get(id) ?? isFavourite;
  return { isOn, toggle: () => setStar(id, !isOn) };
}
