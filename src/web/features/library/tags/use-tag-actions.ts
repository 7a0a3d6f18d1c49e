import { useLingui } from '@lingui/react/macro';
import type { Tag } from '#contract/library-api.ts';
import { call } from '#web/api/call.ts';
import { recordingKeys } from '#web/api/queries/query-client.ts';
import { iso } from '#web/i18n/iso.ts';
import { doToMany, idsWithTag } from '#web/features/library/actions/bulk.ts';
import { showUndo } from '#web/features/library/actions/undo-toast.ts';
import { useUndoable } from '#web/features/library/actions/use-undoable.ts';
import { tagsKey } from './use-tags.ts';

type NewTag = Pick<Tag, 'name' | 'colour'>;

export interface TagActions {
  /** Resolves to the new tag, or null if it was rejected. */
  create: (tag: NewTag) => Promise<Tag | null>;
  change: (tag: Tag, next: Partial<NewTag>) => void;
  remove: (tag: Tag) => void;
}

const collator = new Intl.Collator();
const byName = (tags: readonly Tag[]) => tags.toSorted((a, b) => collator.compare(a.name, b.name));

/** Actions on tags. Changes show immediately, a toast offers Undo, and a failure reverts the change. */
export function useTagActions(): TagActions {
  const { t } = useLingui();
  const tryTo = useUndoable();
  const attempt = <T>(change: (tags: readonly Tag[]) => Tag[], act: () => Promise<T>) =>
    tryTo({
      show: (client) => client.setQueryData<readonly Tag[]>(tagsKey, (tags) => tags && byName(change(tags))),
      act,
      shown: tagsKey,
      refreshed: [recordingKeys.library, recordingKeys.lists],
    });
  const put = async (tag: Tag) =>
    (
      await attempt(
        (tags) => [...tags, tag],
        () => call('createTag', { body: tag }),
      )
    )?.answer ?? null;
  const set = (id: string, next: Partial<NewTag>) =>
    attempt(
      (tags) => tags.map((tag) => (tag.id === id ? { ...tag, ...next } : tag)),
      () => call('changeTag', { params: { tagId: id }, body: next }),
    );

  const change = async (tag: Tag, next: Partial<NewTag>) => {
    if (!(await set(tag.id, next))) return;
    const name = iso(next.name ?? tag.name);
    showUndo({
      message: () => t`Tag “${name}” changed`,
      label: () => t`Undo`,
      onUndo: () => void set(tag.id, { name: tag.name, colour: tag.colour }),
    });
  };
  const remove = async (tag: Tag) => {
    const done = await attempt(
      (tags) => tags.filter(({ id }) => id !== tag.id),
      async () => {
        const ids = await idsWithTag(tag.id);
        await call('removeTag', { params: { tagId: tag.id } });
        return ids;
      },
    );
    if (!done) return;
    const name = iso(tag.name);
    const undo = async () => {
      await put(tag);
      await attempt(
        (tags) => [...tags],
        () => doToMany([...done.answer], { kind: 'tag', add: [tag.id], remove: [] }),
      );
    };
    showUndo({ message: () => t`Tag “${name}” deleted`, label: () => t`Undo`, onUndo: () => void undo() });
  };

  return {
    create: (tag) => put({ id: crypto.randomUUID(), ...tag }),
    change: (tag, next) => void change(tag, next),
    remove: (tag) => void remove(tag),
  };
}
