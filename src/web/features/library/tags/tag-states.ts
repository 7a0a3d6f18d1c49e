import type { TagChange } from '#web/features/library/actions/bulk.ts';

/** Whether all, some or none of what was chosen have a tag. */
export type TagState = 'all' | 'some' | 'none';

type Targets = readonly (readonly string[] | null)[];

/** How many of the recordings have a tag; of one whose tags are not known, it may be either. */
export function tagStateOf(tagId: string, targets: Targets): TagState {
  const having = targets.map((tagIds) => tagIds?.includes(tagId) ?? null);
  if (having.length > 0 && having.every((has) => has === true)) return 'all';
  return having.every((has) => has === false) ? 'none' : 'some';
}

/**
 * What has to change so that the recordings have what is wanted; a tag that nobody touched stays as it is.
 */
export function tagChangeOf(wanted: ReadonlyMap<string, boolean>, targets: Targets): TagChange {
  const touched = [...wanted].filter(
    ([tagId, isOn]) => tagStateOf(tagId, targets) !== (isOn ? 'all' : 'none'),
  );
  return {
    add: touched.filter(([, isOn]) => isOn).map(([tagId]) => tagId),
    remove: touched.filter(([, isOn]) => !isOn).map(([tagId]) => tagId),
  };
}
