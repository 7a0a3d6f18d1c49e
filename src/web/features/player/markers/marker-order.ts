import { inTimeOrder } from '#web/features/player/time-order.ts';

interface Placed {
  id: string;
  atMs: number;
}

/** Adds a marker where it belongs in time; one with the same id is replaced. */
export function withMarker<M extends Placed>(markers: readonly M[], added: M): M[] {
  return inTimeOrder([...withoutMarker(markers, added.id), added], ({ atMs }) => atMs);
}

export function withoutMarker<M extends Placed>(markers: readonly M[], id: string): M[] {
  return markers.filter((marker) => marker.id !== id);
}
