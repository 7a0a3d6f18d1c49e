import { useState } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { Pencil, Trash2 } from 'lucide-react';
import type { Tag } from '#contract/library-api.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Checkbox } from '#web/ui/controls/checkbox.tsx';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { UserText } from '#web/ui/text/user-text.tsx';
import type { TagChange } from '#web/features/library/actions/bulk.ts';
import { TagDot } from './tag-dot.tsx';
import { TagForm } from './tag-form.tsx';
import { tagChangeOf, tagStateOf, type TagState } from './tag-states.ts';
import { useTagActions } from './use-tag-actions.ts';
import styles from './tags.module.css';

export interface TagsDialogProps {
  tags: readonly Tag[];
  /** The tags of each recording to tag, null if unknown; empty to edit the tags themselves. */
  targets: readonly (readonly string[] | null)[];
  onSave: (change: TagChange) => void;
  onClose: () => void;
}

/** The user's tags: assigns them to the selected recordings, and creates, renames, recolours and deletes them. */
export function TagsDialog({ tags, targets, onSave, onClose }: TagsDialogProps) {
  const actions = useTagActions();
  const [edited, setEdited] = useState<string | null>(null);
  const [wanted, setWanted] = useState<ReadonlyMap<string, boolean>>(new Map());
  const want = (id: string, isOn: boolean) => setWanted((before) => new Map(before).set(id, isOn));
  const create = async (next: Pick<Tag, 'name' | 'colour'>) => {
    const made = await actions.create(next);
    if (made && targets.length > 0) want(made.id, true);
  };
  const save = () => {
    const change = tagChangeOf(wanted, targets);
    if (change.add.length + change.remove.length > 0) onSave(change);
    onClose();
  };
  return (
    <Dialog title={<Trans>Tags</Trans>} isOpen onOpenChange={onClose}>
      {tags.length === 0 && (
        <p className={styles.hint}>
          <Trans>Use tags to group recordings by topic. Create your first one here.</Trans>
        </p>
      )}
      <ul className={styles.list}>
        {tags.map((tag) =>
          edited === tag.id ? (
            <li key={tag.id} className={styles.editing}>
              <TagForm
                tag={tag}
                others={tags}
                onSave={(next) => {
                  setEdited(null);
                  if (next.name !== tag.name || next.colour !== tag.colour) actions.change(tag, next);
                }}
              />
            </li>
          ) : (
            <TagRow
              key={tag.id}
              tag={tag}
              state={
                targets.length === 0
                  ? null
                  : wanted.has(tag.id)
                    ? onOff(wanted.get(tag.id) ?? false)
                    : tagStateOf(tag.id, targets)
              }
              onWant={(isOn) => want(tag.id, isOn)}
              onEdit={() => setEdited(tag.id)}
              onRemove={() => actions.remove(tag)}
            />
          ),
        )}
      </ul>
      <TagForm tag={null} others={tags} onSave={(next) => void create(next)} />
      <div className={styles.buttons}>
        {targets.length > 0 && (
          <Button variant="plain" onPress={onClose}>
            <Trans>Cancel</Trans>
          </Button>
        )}
        <Button variant="primary" onPress={save}>
          {targets.length > 0 ? <Trans>Save</Trans> : <Trans>Done</Trans>}
        </Button>
      </div>
    </Dialog>
  );
}

const onOff = (isOn: boolean): TagState => (isOn ? 'all' : 'none');

interface TagRowProps {
  tag: Tag;
  state: TagState | null;
  onWant: (isOn: boolean) => void;
  onEdit: () => void;
  onRemove: () => void;
}

function TagRow({ tag, state, onWant, onEdit, onRemove }: TagRowProps) {
  const { t } = useLingui();
  const name = (
    <span className={styles.name}>
      <TagDot colour={tag.colour} />
      <UserText>{tag.name}</UserText>
    </span>
  );
  return (
    <li className={styles.row}>
      {state === null ? (
        name
      ) : (
        <Checkbox label={name} isSelected={state === 'all'} isMixed={state === 'some'} onChange={onWant} />
      )}
      <IconButton label={t`Rename or change colour`} icon={<Pencil />} onPress={onEdit} />
      <IconButton label={t`Delete tag`} data-ends icon={<Trash2 />} onPress={onRemove} />
    </li>
  );
}
