import { sql, type Transaction } from 'kysely';
import type { Schema } from '#server/storage/database/schema.ts';

const linkRenditions = 'share_m4a';

/** Renditions of links are not copied: the next request makes them again. */
export async function forgetLinkRenditions(transaction: Transaction<Schema>): Promise<void> {
  await sql`update recordings set stored_bytes = stored_bytes - (
      select coalesce(sum(m.size_bytes), 0) from share_m4a as m join shares as s on s.id = m.share_id where s.recording_id = recordings.id
    ) where id in (select s.recording_id from share_m4a as m join shares as s on s.id = m.share_id where m.size_bytes > 0)`.execute(
    transaction,
  );
  await transaction.deleteFrom('share_m4a').execute();
}

export const isOfLinkRenditions = (tableName: string): boolean => tableName === linkRenditions;
