import { useMemo, useState } from 'react';
import { emptySelection, exactly, extended, toggled } from './selection.ts';

export interface ChosenItems {
  chosen: ReadonlySet<string>;
  isChoosing: boolean;
  toggle: (id: string) => void;
  /** Selects from the last selected item to this one, in the order of `ids`. */
  extend: (ids: readonly string[], id: string) => void;
  set: (ids: Iterable<string>) => void;
  clear: () => void;
}

/**
 * The selection of a list. It is lost with the screen, or when `scope` changes, because no action may apply to
 * items that are no longer visible.
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
