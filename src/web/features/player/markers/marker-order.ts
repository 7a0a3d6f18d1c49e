import { inTimeOrder } from '#web/features/player/time-order.ts';

interface Placed {
  id: string;
  atMs: number;
}

/** Inserts a marker in time order, replacing one with the same id. */
export function withMarker<M extends Placed>(markers: readonly M[], added: M): M[] {
  return inTimeOrder([...withoutMarker(markers, added.id), added], ({ atMs }) => atMs);
}

export function withoutMarker<M extends Placed>(markers: readonly M[], id: string): M[] {
  return markers.filter((marker) => marker.id !== id);
}
