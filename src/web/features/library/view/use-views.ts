import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { SavedView } from '#contract/library-api.ts';
import { call } from '#web/api/call.ts';
import { recordingKeys } from '#web/api/queries/query-client.ts';
import { iso } from '#web/i18n/iso.ts';
import { showUndo } from '#web/features/library/actions/undo-toast.ts';
import { useUndoable } from '#web/features/library/actions/use-undoable.ts';

const viewsKey = [...recordingKeys.library, 'views'] as const;
const none: readonly SavedView[] = [];

export interface Views {
  views: readonly SavedView[];
  save: (name: string, query: string) => void;
  rename: (view: SavedView, name: string) => void;
  remove: (view: SavedView) => void;
}

/**
 * The user's saved views and the actions on them. Changes show immediately, a toast offers Undo, and a failure
 * reverts the change.
 */
export function useViews(isEnabled: boolean): Views {
  const { t } = useLingui();
  const tryTo = useUndoable();
  const { data } = useQuery({
    queryKey: viewsKey,
    queryFn: async ({ signal }) => (await call('listViews', { signal })).items,
    enabled: isEnabled,
    meta: { what: msg`Saved views` },
  });
  const attempt = (change: (views: readonly SavedView[]) => SavedView[], act: () => Promise<unknown>) =>
    tryTo({
      show: (client) =>
        client.setQueryData<readonly SavedView[]>(viewsKey, (views) => views && change(views)),
      act,
      shown: viewsKey,
      refreshed: [viewsKey],
    });
  const put = (view: SavedView) =>
    attempt(
      (views) => [...views, view],
      () => call('createView', { body: view }),
    );
  const setName = ({ id }: SavedView, name: string) =>
    attempt(
      (views) => views.map((view) => (view.id === id ? { ...view, name } : view)),
      () => call('changeView', { params: { viewId: id }, body: { name } }),
    );
  const deleteView = ({ id }: SavedView) =>
    attempt(
      (views) => views.filter((view) => view.id !== id),
      () => call('removeView', { params: { viewId: id } }),
    );

  const rename = async (view: SavedView, to: string) => {
    if (!(await setName(view, to))) return;
    const name = iso(to);
    showUndo({
      message: () => t`Renamed to “${name}”`,
      label: () => t`Undo`,
      onUndo: () => void setName(view, view.name),
    });
  };
  const remove = async (view: SavedView) => {
    if (!(await deleteView(view))) return;
    const name = iso(view.name);
    showUndo({
      message: () => t`View “${name}” deleted`,
      label: () => t`Undo`,
      onUndo: () => void put(view),
    });
  };
  return {
    views: isEnabled ? (data ?? none) : none,
    save: (name, query) => void put({ id: crypto.randomUUID(), name, query }),
    rename: (view, name) => void rename(view, name),
    remove: (view) => void remove(view),
  };
}
