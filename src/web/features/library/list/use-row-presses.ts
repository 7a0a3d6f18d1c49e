import { useRef, type MouseEvent, type PointerEvent } from 'react';
import type { ChosenItems } from '#web/ui/lists/use-selection.ts';
import { rowIndexOf } from '#web/ui/lists/row-index.ts';

interface RowPressesFacts {
  ids: readonly string[];
  selection: ChosenItems;
  onReach: (index: number) => void;
}

export interface RowPresses {
  onClickCapture: (event: MouseEvent) => void;
  onMouseDown: (event: MouseEvent) => void;
  onContextMenu: (event: MouseEvent) => void;
  onPointerDown: (event: PointerEvent) => void;
  onPointerMove: (event: PointerEvent) => void;
  onPointerUp: () => void;
  onPointerCancel: () => void;
}

const longPressMs = 500;
const slipPx = 10;

interface Press {
  id: string;
  x: number;
  y: number;
  timer: ReturnType<typeof setTimeout>;
  isLong: boolean;
}

function idOf({ target, currentTarget }: MouseEvent, ids: readonly string[]): string | null {
  if (
    !(target instanceof Element) ||
    !currentTarget.contains(target) ||
    target.closest('button, input, label, a[download]')
  )
    return null;
  return ids[rowIndexOf(target)] ?? null;
}

const hasModifier = ({ shiftKey, ctrlKey, metaKey }: MouseEvent) => shiftKey || ctrlKey || metaKey;

const stop = (event: MouseEvent) => {
  event.preventDefault();
  event.stopPropagation();
};
const isByKey = ({ nativeEvent, detail }: MouseEvent) =>
  nativeEvent instanceof globalThis.PointerEvent ? nativeEvent.pointerType === '' : detail === 0;

/**
 * Selection by mouse and touch: Ctrl or ⌘ toggles a row, Shift extends the range, a long press starts a selection.
 * While rows are selected, a plain press toggles.
 */
export function useRowPresses({ ids, selection, onReach }: RowPressesFacts): RowPresses {
  const press = useRef<Press | null>(null);
  const lift = () => {
    if (press.current) clearTimeout(press.current.timer);
  };
  const hold = (held: Press) => {
    held.isLong = true;
    selection.toggle(held.id);
    navigator.vibrate?.(12);
  };
  const choose = (event: MouseEvent, id: string) => {
    if (event.shiftKey) selection.extend(ids, id);
    else selection.toggle(id);
    onReach(ids.indexOf(id));
  };
  return {
    onClickCapture: (event) => {
      const wasLong = press.current?.isLong ?? false;
      press.current = null;
      // After a long press, the new checkbox may be under the finger when it is lifted. That click does not count.
      if (wasLong) {
        stop(event);
        return;
      }
      const id = idOf(event, ids);
      // Enter on a link is a click without a pointer; it always opens the recording.
      if (id === null || isByKey(event) || !(selection.isChoosing || hasModifier(event))) return;
      stop(event);
      choose(event, id);
    },
    // A press with Shift would select the text in between.
    onMouseDown: (event) => {
      if (event.shiftKey && idOf(event, ids) !== null) event.preventDefault();
    },
    onContextMenu: (event) => {
      const held = press.current;
      if (!held) return;
      // A long press on a link opens the browser's menu; select the row instead.
      event.preventDefault();
      clearTimeout(held.timer);
      if (!held.isLong) hold(held);
    },
    onPointerDown: (event) => {
      lift();
      const id = event.pointerType === 'touch' ? idOf(event, ids) : null;
      press.current = null;
      if (id === null) return;
      const held: Press = {
        id,
        x: event.clientX,
        y: event.clientY,
        isLong: false,
        timer: setTimeout(() => hold(held), longPressMs),
      };
      press.current = held;
    },
    onPointerMove: ({ clientX, clientY }) => {
      const held = press.current;
      if (!held || held.isLong || Math.hypot(clientX - held.x, clientY - held.y) < slipPx) return;
      lift();
      press.current = null;
    },
    onPointerUp: lift,
    onPointerCancel: lift,
  };
}
