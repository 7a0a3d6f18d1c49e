import { Trans, useLingui } from '@lingui/react/macro';
import { Pencil, Plus } from 'lucide-react';
import type { Tag } from '#contract/library-api.ts';
import { classes } from '#web/ui/classes.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { PressButton } from '#web/ui/controls/press-button.tsx';
import { UserText } from '#web/ui/text/user-text.tsx';
import { TagDot } from './tag-dot.tsx';
import styles from './tags.module.css';

export interface TagChoicesProps {
  tags: readonly Tag[];
  chosen: readonly string[];
  /** Number of recordings with each tag. */
  facets?: { tags: readonly { tagId: string; count: number }[] } | null;
  onChange: (tagIds: string[]) => void;
  onManage: () => void;
  className?: string | undefined;
}

/** Toggles for tags, and a button to create and edit tags. */
export function TagChoices({ tags, chosen, facets = null, onChange, onManage, className }: TagChoicesProps) {
  const { t } = useLingui();
  const toggle = (id: string) =>
    onChange(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id]);
  const countOf = (id: string) => facets?.tags.find(({ tagId }) => tagId === id)?.count;
  return (
    <fieldset className={classes(styles.group, className)}>
      <legend className={styles.legend}>{t`Tags`}</legend>
      <div className={styles.choices}>
        {tags.map(({ id, name, colour }) => (
          <PressButton
            key={id}
            aria-pressed={chosen.includes(id)}
            className={styles.choice}
            onPress={() => toggle(id)}
          >
            <TagDot colour={colour} />
            <UserText>{name}</UserText>
            {countOf(id) !== undefined && <span className={styles.count}>{countOf(id)}</span>}
          </PressButton>
        ))}
        <Button icon={tags.length === 0 ? <Plus aria-hidden /> : <Pencil aria-hidden />} onPress={onManage}>
          {tags.length === 0 ? <Trans>Create a tag</Trans> : <Trans>Edit tags</Trans>}
        </Button>
      </div>
    </fieldset>
  );
}
