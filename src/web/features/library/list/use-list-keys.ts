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

/** The index that a key moves to; null for other keys. */
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
 * Keyboard handling of a list with selection: arrows move, Space selects, Shift extends a range, Ctrl or ⌘ with A
 * selects all, Escape clears, Delete removes.
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
    // On a button or checkbox of the row, Space activates that instead.
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
    // Key events of a menu or dialog opened from a row bubble through React to here.
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
