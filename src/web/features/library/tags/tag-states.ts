import type { TagChange } from '#web/features/library/actions/bulk.ts';

/** Whether all, some or none of the selected recordings have a tag. */
export type TagState = 'all' | 'some' | 'none';

type Targets = readonly (readonly string[] | null)[];

/** Whether the recordings have a tag. Recordings with unknown tags count as `some`. */
export function tagStateOf(tagId: string, targets: Targets): TagState {
  const having = targets.map((tagIds) => tagIds?.includes(tagId) ?? null);
  if (having.length > 0 && having.every((has) => has === true)) return 'all';
  return having.every((has) => has === false) ? 'none' : 'some';
}

/** The tag changes to make. A tag that the user did not touch stays unchanged. */
export function tagChangeOf(wanted: ReadonlyMap<string, boolean>, targets: Targets): TagChange {
  const touched = [...wanted].filter(
    ([tagId, isOn]) => tagStateOf(tagId, targets) !== (isOn ? 'all' : 'none'),
  );
  return {
    add: touched.filter(([, isOn]) => isOn).map(([tagId]) => tagId),
    remove: touched.filter(([, isOn]) => !isOn).map(([tagId]) => tagId),
  };
}
