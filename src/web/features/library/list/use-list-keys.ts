import type { KeyboardEvent } from 'react';
import type { ChosenItems } from '#web/ui/lists/use-selection.ts';

interface ListKeysFacts {
  ids: readonly string[];
  count: number;
  active: number;
  rowPx: number;
  selection: ChosenItems;
  onChooseAll: () => void;
  onRemove: () => void;
  onMove: (index: number) => void;
}

/** Where a key leads from a place in a list; null for keys that lead nowhere. */
export function placeAfter(
  key: string,
  { active, count, pageRows }: { active: number; count: number; pageRows: number },
): number | null {
  const places: Partial<Record<string, number>> = {
    ArrowDown: active + 1,
    ArrowUp: active - 1,
    PageDown: active + pageRows,
    PageUp: active - pageRows,
    Home: 0,
    End: count - 1,
  };
  const place = places[key];
  return place === undefined ? null : Math.max(0, Math.min(count - 1, place));
}

/**
 * The keys of a list that can be chosen from: arrows move, Space chooses, Shift draws a range, Ctrl or ⌘ with
 * A takes all, Escape lets go, Delete removes.
 */
export function useListKeys({
  ids,
  count,
  active,
  rowPx,
  selection,
  onChooseAll,
  onRemove,
  onMove,
}: ListKeysFacts): (event: KeyboardEvent<HTMLElement>) => void {
  const current = ids[active];
  const move = (place: number, isRange: boolean) => {
    const target = ids[place];
    if (isRange && target !== undefined && current !== undefined) {
      if (!selection.isChoosing) selection.toggle(current);
      selection.extend(ids, target);
    }
    onMove(place);
  };
  const runOf = (event: KeyboardEvent): (() => void) | null => {
    if (event.altKey) return null;
    if (event.ctrlKey || event.metaKey) return event.key.toLowerCase() === 'a' ? onChooseAll : null;
    return plainRunOf(event);
  };
  const plainRunOf = ({ key, shiftKey, target }: KeyboardEvent): (() => void) | null => {
    if (key === 'Escape' && selection.isChoosing) return selection.clear;
    if (key === 'Delete') return onRemove;
    // On a button or a box of the row, Space presses that.
    if (key === ' ' && current !== undefined && target instanceof HTMLAnchorElement)
      return () => selection.toggle(current);
    const place = placeAfter(key, {
      active,
      count,
      pageRows: Math.max(1, Math.floor(innerHeight / rowPx) - 2),
    });
    return place === null ? null : () => move(place, shiftKey);
  };
  return (event) => {
    // The keys of a menu or dialog that a row opened come past here too.
    if (
      event.defaultPrevented ||
      !(event.target instanceof Node) ||
      !event.currentTarget.contains(event.target)
    )
      return;
    const run = runOf(event);
    if (!run) return;
    event.preventDefault();
    run();
  };
}
