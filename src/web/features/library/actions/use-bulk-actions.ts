import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { BulkAction } from '#contract/library-api.ts';
import type { Recording } from '#contract/recordings.ts';
import { call } from '#web/api/call.ts';
import { reportLinksLeftOff } from '#web/recordings/links-left-off.ts';
import { dismissToastsAbout, showToast } from '#web/ui/overlays/toast.tsx';
import { doToMany, idsWithTag, undoOf, type TagChange } from './bulk.ts';
import { withChanged, withoutRecordings } from '#web/api/queries/cached-pages.ts';
import { whenTakesLoaded } from './when-takes-loaded.ts';
import { showUndo } from './undo-toast.ts';
import { useBulkFavourite } from './use-bulk-favourite.ts';
import { useCachedChange } from './use-cached-change.ts';
import type { LocalTakeActions } from './use-recording-actions.ts';

/** The fields that the details dialog edits. */
export interface Details {
  people: string[];
  language: string | null;
  tagIds: string[];
}

export interface BulkActions {
  moveToTrash: (ids: readonly string[]) => void;
  restore: (ids: readonly string[]) => void;
  deletePermanently: (ids: readonly string[]) => void;
  tag: (ids: readonly string[], change: TagChange) => void;
  favourite: (ids: readonly string[], isFavourite: boolean) => void;
  edit: (id: string, before: Details, after: Details) => void;
}

/** What removes recordings from a list, as the server does it. */
const removals = {
  trash: { kind: 'trash' },
  'undo-trash': { kind: 'restore', isUndo: true },
  restore: { kind: 'restore' },
  purge: { kind: 'purge' },
} as const satisfies Record<string, BulkAction>;
type Removal = keyof typeof removals;

const withTags = (tagIds: readonly string[], { add, remove }: TagChange) =>
  [...new Set([...tagIds, ...add])].filter((id) => !remove.includes(id));

/**
 * Actions on several recordings, on the server and on this device. The list changes immediately, a toast offers
 * Undo, and a failure reverts the change.
 */
export function useBulkActions(local: LocalTakeActions): BulkActions {
  const { t } = useLingui();
  const change = useCachedChange();
  const favourite = useBulkFavourite();

  const removeFromList = (ids: readonly string[], kind: Removal) => {
    const each = {
      trash: local.moveToTrash,
      'undo-trash': local.undoTrash,
      restore: local.restore,
      purge: local.deletePermanently,
    }[kind];
    const act = () => {
      const onDevice = ids.filter(local.has);
      const elsewhere = ids.filter((id) => !local.has(id));
      return Promise.all([doToMany(elsewhere, removals[kind]), ...onDevice.map(each)]);
    };
    return change({
      pages: (pages) => withoutRecordings(pages, new Set(ids)),
      act: () => whenTakesLoaded(local, act),
    });
  };

  const moveToTrash = async (ids: readonly string[]) => {
    if (!(await removeFromList(ids, 'trash'))) return;
    dismissToastsAbout(ids);
    showUndo({
      message: () =>
        t`${plural(ids.length, { one: '# recording moved to the trash', other: '# recordings moved to the trash' })}`,
      label: () => t`Undo`,
      onUndo: () => void removeFromList(ids, 'undo-trash'),
    });
  };
  const restore = async (ids: readonly string[]) => {
    if (!(await removeFromList(ids, 'restore'))) return;
    showUndo({
      message: () =>
        t`${plural(ids.length, { one: '# recording restored to the library', other: '# recordings restored to the library' })}`,
      label: () => t`Undo`,
      onUndo: () => void removeFromList(ids, 'trash'),
    });
    await reportLinksLeftOff(ids);
  };
  const deletePermanently = async (ids: readonly string[]) => {
    if (!(await removeFromList(ids, 'purge'))) return;
    showToast({
      message: () =>
        t`${plural(ids.length, { one: '# recording permanently deleted', other: '# recordings permanently deleted' })}`,
    });
  };

  const tag = async (ids: readonly string[], wanted: TagChange) => {
    const chosen = new Set(ids);
    const touched = [...wanted.add, ...wanted.remove];
    const hadBefore = new Map<string, ReadonlySet<string>>();
    const act = async () => {
      for (const tagId of touched) hadBefore.set(tagId, await idsWithTag(tagId));
      await doToMany(ids, { kind: 'tag', add: [...wanted.add], remove: [...wanted.remove] });
    };
    const done = await change({
      pages: (pages) =>
        withChanged(pages, chosen, (item) => ({ ...item, tagIds: withTags(item.tagIds, wanted) })),
      act,
    });
    if (!done) return;
    const undo = async () => {
      for (const one of undoOf(ids, wanted, hadBefore)) {
        await doToMany(one.ids, {
          kind: 'tag',
          add: one.kind === 'add' ? [one.tagId] : [],
          remove: one.kind === 'remove' ? [one.tagId] : [],
        });
      }
    };
    showUndo({
      message: () =>
        t`${plural(ids.length, { one: 'Tags changed on # recording', other: 'Tags changed on # recordings' })}`,
      label: () => t`Undo`,
      onUndo: () => void change({ pages: (pages) => [...pages], act: undo }),
    });
  };

  const setDetails = (id: string, details: Details) =>
    change({
      pages: (pages) => withChanged(pages, new Set([id]), (item): Recording => ({ ...item, ...details })),
      one: { id },
      act: () => call('changeRecording', { params: { recordingId: id }, body: details }),
    });
  const edit = async (id: string, before: Details, after: Details) => {
    if (!(await setDetails(id, after))) return;
    showUndo({
      message: () => t`Details saved`,
      label: () => t`Undo`,
      onUndo: () => void setDetails(id, before),
    });
  };

  return {
    moveToTrash: (ids) => void moveToTrash(ids),
    restore: (ids) => void restore(ids),
    deletePermanently: (ids) => void deletePermanently(ids),
    tag: (ids, wanted) => void tag(ids, wanted),
    favourite,
    edit: (id, before, after) => void edit(id, before, after),
  };
}
