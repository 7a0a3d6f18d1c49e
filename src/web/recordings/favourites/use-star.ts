import { useStore } from '#web/ui/hooks/use-store.ts';
import { pendingStars, setStar } from './stars.ts';

interface Starred {
  id: string;
  isFavourite: boolean;
}

/** Whether a recording is a favourite, including a change that the server does not have yet. */
export function useStar({ id, isFavourite }: Starred): { isOn: boolean; toggle: () => void } {
  const isOn = useStore(pendingStars).get(id) ?? isFavourite;
  return { isOn, toggle: () => setStar(id, !isOn) };
}
