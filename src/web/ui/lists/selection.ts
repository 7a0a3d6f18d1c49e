/** The selected items of a list, and the start of the next range. */
export interface Selection {
  readonly chosen: ReadonlySet<string>;
  /** The last item selected individually. Shift extends from there. */
  readonly anchor: string | null;
  /** The selection before the current range. */
  readonly base: ReadonlySet<string>;
}

const nothing: ReadonlySet<string> = new Set();

export const emptySelection: Selection = { chosen: nothing, anchor: null, base: nothing };

/** Selects or deselects an item. The next range starts there. */
export function toggled({ chosen }: Selection, id: string): Selection {
  const next = new Set(chosen);
  if (!next.delete(id)) next.add(id);
  return { chosen: next, anchor: id, base: next };
}

/**
 * Selects all items from the anchor to an item, in the order of `ids`. Replaces an earlier range from the same
 * anchor.
 */
export function extended(selection: Selection, ids: readonly string[], id: string): Selection {
  const to = ids.indexOf(id);
  const anchorAt = selection.anchor === null ? -1 : ids.indexOf(selection.anchor);
  const from = anchorAt === -1 ? to : anchorAt;
  const range = ids.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { chosen: new Set([...selection.base, ...range]), anchor: ids[from] ?? id, base: selection.base };
}

/** Selects exactly these items. */
export function exactly(ids: Iterable<string>): Selection {
  const chosen = new Set(ids);
  return { chosen, anchor: null, base: chosen };
}
