import type { Tag } from '#contract/library-api.ts';
import { titleText } from '#web/recordings/time/title-text.ts';
import { DetailsDialog } from './details-dialog.tsx';
import { RenameDialog } from './rename-dialog.tsx';
import type { BulkActions, Details } from '#web/features/library/actions/use-bulk-actions.ts';
import type { RecordingActions } from '#web/features/library/actions/use-recording-actions.ts';
import type { LibraryItem } from '#web/features/library/list/library-items.ts';
import { TagsDialog } from '#web/features/library/tags/tags-dialog.tsx';
import type { LibraryState } from './use-library.ts';

export interface LibraryDialogsProps {
  library: LibraryState;
  tags: readonly Tag[];
  actions: RecordingActions;
  bulk: BulkActions;
}

const detailsOf = ({ people, language, tagIds }: LibraryItem): Details => ({
  people: [...people],
  language,
  tagIds: [...tagIds],
});

/** The dialogs of the library. */
export function LibraryDialogs({ library, tags, actions, bulk }: LibraryDialogsProps) {
  const { dialog, openDialog, rows } = library;
  const close = () => openDialog(null);
  if (dialog === null) return null;
  if (dialog.for === 'tags') {
    const tagsOf = new Map(rows.map(({ id, tagIds }) => [id, tagIds]));
    return (
      <TagsDialog
        tags={tags}
        targets={dialog.ids.map((id) => tagsOf.get(id) ?? null)}
        onSave={(change) => bulk.tag(dialog.ids, change)}
        onClose={close}
      />
    );
  }
  const { row } = dialog;
  if (dialog.for === 'title')
    return (
      <RenameDialog
        id={row.id}
        title={row.title}
        untitled={titleText({ ...row, title: '' })}
        onSave={(title) => actions.rename(row, title)}
        onClose={close}
      />
    );
  return (
    <DetailsDialog
      details={detailsOf(row)}
      tags={tags}
      onSave={(details) => bulk.edit(row.id, detailsOf(row), details)}
      onClose={close}
    />
  );
}
