import type { Tag } from '#contract/library-api.ts';
import { UserText } from '#web/ui/text/user-text.tsx';
import { TagDot } from '#web/features/library/tags/tag-dot.tsx';
import styles from './rows.module.css';

/** The tags of a recording, shown with its facts. */
export function TagFacts({
  tagIds,
  tagsById,
}: {
  tagIds: readonly string[];
  tagsById: ReadonlyMap<string, Tag>;
}) {
  const tags = tagIds.flatMap((id) => tagsById.get(id) ?? []);
  return tags.map(({ id, name, colour }) => (
    <span key={id} className={styles.tag}>
      <TagDot colour={colour} />
      <span>
        <UserText>{name}</UserText>
      </span>
    </span>
  ));
}
