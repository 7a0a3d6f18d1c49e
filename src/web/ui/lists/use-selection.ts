import { useMemo, useState } from 'react';
import { emptySelection, exactly, extended, toggled } from './selection.ts';

export interface ChosenItems {
  chosen: ReadonlySet<string>;
  isChoosing: boolean;
  toggle: (id: string) => void;
  /** Chooses from the item chosen last to this one, in the order of `ids`. */
  extend: (ids: readonly string[], id: string) => void;
  set: (ids: Iterable<string>) => void;
  clear: () => void;
}

/**
 * What is chosen of a list on the screen; gone with the screen, or when `scope` changes: what is no longer
 * seen must not be acted on.
 */
export function useSelection(scope: string): ChosenItems {
  const [last, setLast] = useState({ scope, selection: emptySelection });
  const selection = last.scope === scope ? last.selection : emptySelection;
  const actions = useMemo(() => {
    const change = (next: (before: typeof emptySelection) => typeof emptySelection) =>
      setLast((before) => ({
        scope,
        selection: next(before.scope === scope ? before.selection : emptySelection),
      }));
    return {
      toggle: (id: string) => change((before) => toggled(before, id)),
      extend: (ids: readonly string[], id: string) => change((before) => extended(before, ids, id)),
      set: (ids: Iterable<string>) => change(() => exactly(ids)),
      clear: () => change(() => emptySelection),
    };
  }, [scope]);
  return { chosen: selection.chosen, isChoosing: selection.chosen.size > 0, ...actions };
}
