import type { Passage } from '#contract/passages-api.ts';
import type { Queries } from '#server/storage/database/database.ts';
import { believableLength } from './believable.ts';

/** The passages of a recording that are off the record, in order of time. */
export async function passagesOf(queries: Queries, recordingId: string): Promise<Passage[]> {
  const rows = await queries
    .selectFrom('passages')
    .select(['id', 'from_ms', 'to_ms'])
    .where('recording_id', '=', recordingId)
    .where('released_at', 'is', null)
    .orderBy('from_ms')
    .orderBy('id')
    .execute();
  return rows.map(({ id, from_ms: fromMs, to_ms: toMs }) => ({
    id,
    fromMs: believableLength(fromMs),
    toMs: toMs === null ? null : believableLength(toMs),
  }));
}
