interface Placed { id: string; atMs: number }

/** Adds a marker where it belongs in time; one with the same id is replaced. */
export function withMarker<M extends Placed>(markers: readonly M[], added: M): M[] {
  return [...withoutMarker(markers, added.id), added].toSorted((a, b) => a.atMs - b.atMs || (a.id < b.id ? -1 : 1));
}

export function withoutMarker<M extends Placed>(markers: readonly M[], id: string): M[] {
  return markers.filter((marker) => marker.id !== id);
}
