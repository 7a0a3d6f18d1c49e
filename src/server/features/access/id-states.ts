import type { Queries } from '#server/storage/database/database.ts';

/**
 * Whether a user may register an id: `free`, `own` (the recording is the user's), `taken` (it is another user's),
 * `purged` (the user purged it) or `purged-by-another`.
 */
export type IdState = 'free' | 'own' | 'taken' | 'purged' | 'purged-by-another';

interface Claim {
  id: string;
  owner_id: string;
}

/** Ids per statement, below the parameter limit of both databases. */
const together = 1000;

async function statesOf(
  queries: Queries,
  userId: string,
  ids: readonly string[],
): Promise<[string, IdState][]> {
  const ownerOf = (rows: readonly Claim[]): Map<string, string> =>
    new Map(rows.map(({ id, owner_id: ownerId }) => [id, ownerId]));
  const stored = ownerOf(
    await queries.selectFrom('recordings').select(['id', 'owner_id']).where('id', 'in', ids).execute(),
  );
  const purged = ownerOf(
    await queries.selectFrom('purged_recordings').select(['id', 'owner_id']).where('id', 'in', ids).execute(),
  );
  return ids.map((id) => {
    const [ownerId, purgedBy] = [stored.get(id), purged.get(id)];
    if (ownerId !== undefined) return [id, ownerId === userId ? 'own' : 'taken'];
    if (purgedBy === undefined) return [id, 'free'];
    return [id, purgedBy === userId ? 'purged' : 'purged-by-another'];
  });
}

/** Compares ids with the stored and the purged recordings of all users. */
export async function idStatesOf(
  queries: Queries,
  userId: string,
  ids: readonly string[],
): Promise<Map<string, IdState>> {
  const states = new Map<string, IdState>();
  for (let from = 0; from < ids.length; from += together)
    for (const [id, state] of await statesOf(queries, userId, ids.slice(from, from + together)))
      states.set(id, state);
  return states;
}
