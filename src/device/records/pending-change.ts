/**
 * A change of a recording that needs its own request: its title, whether it is in the trash, or a marker or note that
 * the server already had.
 */
export type PendingChange = { kind: 'title' | 'trash' } | { kind: 'marker' | 'note'; id: string };

type PendingChanges = readonly PendingChange[] | undefined;

const isSame = (one: PendingChange, other: PendingChange): boolean =>
  one.kind === other.kind && ('id' in one ? one.id : null) === ('id' in other ? other.id : null);

/** Whether a change is pending. */
export const isPending = (changes: PendingChanges, what: PendingChange): boolean =>
  changes?.some((one) => isSame(one, what)) ?? false;

export const withPendingChange = (changes: PendingChanges, what: PendingChange): readonly PendingChange[] =>
  isPending(changes, what) ? (changes ?? []) : [...(changes ?? []), what];

export const withoutPendingChange = (
  changes: PendingChanges,
  what: PendingChange,
): readonly PendingChange[] | undefined => changes?.filter((one) => !isSame(one, what));

/** Earlier builds stored `title`, `place` (the trash), `marker <id>` and `note <id>`. */
function changeOf(stored: PendingChange | string): PendingChange[] {
  if (typeof stored !== 'string') return [stored];
  if (stored === 'title') return [{ kind: 'title' }];
  if (stored === 'place') return [{ kind: 'trash' }];
  const [kind, id] = stored.split(' ');
  return (kind === 'marker' || kind === 'note') && id !== undefined ? [{ kind, id }] : [];
}

/** Reads stored changes, also those of earlier builds, each once. */
export const currentChanges = (stored: readonly (PendingChange | string)[]): readonly PendingChange[] =>
  stored.flatMap(changeOf).reduce<readonly PendingChange[]>(withPendingChange, []);
