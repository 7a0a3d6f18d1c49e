import { useRef, useState } from 'react';
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
  const content = useRef<HTMLDivElement>(null);
  const created = useRef<Promise<Tag | null>[]>([]);
  const create = async (next: Pick<Tag, 'name' | 'colour'>) => {
    const made = actions.create(next);
    created.current.push(made);
    const tag = await made;
    if (tag && targets.length > 0) want(tag.id, true);
  };
  const save = async () => {
    // A name that was typed and not added or saved yet would be lost.
    for (const form of content.current?.querySelectorAll('form') ?? []) form.requestSubmit();
    const changes = new Map(wanted);
    const made = created.current;
    onClose();
    for (const tag of await Promise.all(made)) {
      if (tag && targets.length > 0 && !changes.has(tag.id)) changes.set(tag.id, true);
    }
    const change = tagChangeOf(changes, targets);
    if (change.add.length + change.remove.length > 0) onSave(change);
  };
  return (
    <Dialog title={<Trans>Tags</Trans>} isOpen losesTypedText onOpenChange={onClose}>
      <div ref={content}>
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
        <TagForm
          tag={null}
          others={tags}
          hasFocus={tags.length === 0 || targets.length === 0}
          onSave={(next) => void create(next)}
          onTaken={(other) => {
            created.current.push(Promise.resolve(other));
            if (targets.length > 0) want(other.id, true);
          }}
        />
        <div className={styles.buttons}>
          {targets.length > 0 && (
            <Button variant="plain" onPress={onClose}>
              <Trans>Cancel</Trans>
            </Button>
          )}
          <Button variant="primary" onPress={() => void save()}>
            {targets.length > 0 ? <Trans>Save</Trans> : <Trans>Done</Trans>}
          </Button>
        </div>
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
