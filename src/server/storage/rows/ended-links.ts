import { day } from '#base/duration.ts';
import type { Queries } from '#server/storage/database/database.ts';
import type { EndedLinkRow } from '#server/storage/database/share-tables.ts';
import { statementPieces } from './pieces.ts';

/** How long the bearer of a link learns that it has ended, after nothing else of it is stored. */
const endedLinkMs = 30 * day;

/** Stores that a link has ended, by the hash of its token. */
export async function storeEndedLinks(
  queries: Queries,
  links: readonly Pick<EndedLinkRow, 'token_hash' | 'reason'>[],
  nowMs: number,
): Promise<void> {
  for (const some of statementPieces(links))
    await queries
      .insertInto('ended_links')
      .values(some.map((link) => ({ ...link, expires_at: nowMs + endedLinkMs })))
      .onConflict((conflict) => conflict.column('token_hash').doNothing())
      .execute();
}

function reasonOf(
  { ended_at: endedAt, expires_at: expiresAt }: { ended_at: number | null; expires_at: number | null },
  nowMs: number,
): EndedLinkRow['reason'] {
  if (endedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt <= nowMs ? 'expired' : 'unavailable';
}

/**
 * The links of recordings that are about to be deleted together with them. Call it before the deletion, and the
 * returned function after it, in the same transaction: it stores that the links of the deleted ones have ended.
 */
export async function linksToEnd(
  queries: Queries,
  recordingIds: readonly string[],
  nowMs: number,
): Promise<(deletedIds: ReadonlySet<string>) => Promise<void>> {
  const links = await queries
    .selectFrom('shares')
    .select(['token_hash', 'recording_id', 'ended_at', 'expires_at'])
    .where('recording_id', 'in', recordingIds)
    .execute();
  return (deletedIds) =>
    storeEndedLinks(
      queries,
      links
        .filter(({ recording_id: recordingId }) => deletedIds.has(recordingId))
        .map((link) => ({ token_hash: link.token_hash, reason: reasonOf(link, nowMs) })),
      nowMs,
    );
}
