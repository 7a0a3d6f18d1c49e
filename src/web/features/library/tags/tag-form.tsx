import { useState, type FormEvent } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import type { Tag } from '#contract/library-api.ts';
import { limits } from '#contract/limits.ts';
import { foldForSearch } from '#base/text.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { TextField } from '#web/ui/controls/text-field.tsx';
import { ColourMenu } from './colour-menu.tsx';
import styles from './tags.module.css';

export interface TagFormProps {
  /** The tag to edit; null to create one. */
  tag: Tag | null;
  others: readonly Tag[];
  /** Whether the name of a new tag has the focus when the form opens. */
  hasFocus?: boolean;
  onSave: (next: Pick<Tag, 'name' | 'colour'>) => void;
  /** Called on submit instead of `onSave` if another tag has the name. */
  onTaken?: (other: Tag) => void;
}

const opening = { autoFocus: true } as const;
const blank = { name: '', colour: 'blue' } as const;

/** Edits the name and colour of a tag. */
export function TagForm({ tag, others, hasFocus = true, onSave, onTaken }: TagFormProps) {
  const { t } = useLingui();
  const present = tag ?? blank;
  const [name, setName] = useState(present.name);
  const [colour, setColour] = useState<Tag['colour']>(present.colour);
  const trimmed = name.trim();
  const taken = others.find(
    (other) => other.id !== tag?.id && foldForSearch(other.name) === foldForSearch(trimmed),
  );
  const isReady = trimmed !== '' && !taken;
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    // React events bubble to the form that contains this dialog's opener, which must not be submitted.
    event.stopPropagation();
    if (taken) onTaken?.(taken);
    if (!isReady) return;
    onSave({ name: trimmed, colour });
    setName('');
  };
  return (
    <form onSubmit={handleSubmit} className={styles.form}>
      <TextField
        label={tag === null ? t`New tag` : t`Name`}
        {...(hasFocus ? opening : {})}
        value={name}
        onChange={setName}
        maxLength={limits.tagNameLength}
        errorMessage={taken ? t`You already have a tag with this name.` : null}
      />
      <ColourMenu colour={colour} onChange={setColour} />
      <Button type="submit" isDisabled={!isReady}>
        {tag === null ? <Trans>Add</Trans> : <Trans>Save</Trans>}
      </Button>
    </form>
  );
}
