/** What is chosen of a list, and where a range would begin. */
export interface Selection {
  readonly chosen: ReadonlySet<string>;
  /** The item chosen last by itself; Shift goes from there. */
  readonly anchor: string | null;
  /** What was chosen before the range that is being drawn. */
  readonly base: ReadonlySet<string>;
}

const nothing: ReadonlySet<string> = new Set();

export const emptySelection: Selection = { chosen: nothing, anchor: null, base: nothing };

/** Chooses an item, or lets go of it; the next range begins there. */
export function toggled({ chosen }: Selection, id: string): Selection {
  const next = new Set(chosen);
  if (!next.delete(id)) next.add(id);
  return { chosen: next, anchor: id, base: next };
}

/**
 * Chooses all from the anchor to an item, in the order of `ids`; a range drawn before from the same anchor is
 * given up.
 */
export function extended(selection: Selection, ids: readonly string[], id: string): Selection {
  const to = ids.indexOf(id);
  const anchorAt = selection.anchor === null ? -1 : ids.indexOf(selection.anchor);
  const from = anchorAt === -1 ? to : anchorAt;
  const range = ids.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { chosen: new Set([...selection.base, ...range]), anchor: ids[from] ?? id, base: selection.base };
}

/** Chooses exactly these. */
export function exactly(ids: Iterable<string>): Selection {
  const chosen = new Set(ids);
  return { chosen, anchor: null, base: chosen };
}
