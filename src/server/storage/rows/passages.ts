import type { Passage } from '#contract/passages-api.ts';
import type { Queries } from '#server/storage/database/database.ts';
import { believableLength } from './believable.ts';
import { readInPieces } from './pieces.ts';

/** The passages that links withhold, by recording, in order of time. */
export async function passagesByRecording(
  queries: Queries,
  recordingIds: readonly string[],
): Promise<Map<string, Passage[]>> {
  const rows = await readInPieces(recordingIds, (some) =>
    queries
      .selectFrom('passages')
      .select(['recording_id', 'id', 'from_ms', 'to_ms'])
      .where('recording_id', 'in', some)
      .where('released_at', 'is', null)
      .orderBy('from_ms')
      .orderBy('id')
      .execute(),
  );
  const byRecording = Map.groupBy(rows, ({ recording_id: recordingId }) => recordingId);
  return new Map(
    [...byRecording].map(([recordingId, passages]) => [
      recordingId,
      passages.map(({ id, from_ms: fromMs, to_ms: toMs }) => ({
        id,
        fromMs: believableLength(fromMs),
        toMs: toMs === null ? null : believableLength(toMs),
      })),
    ]),
  );
}

/** The passages of a recording that links withhold, in order of time. */
export const passagesOf = async (queries: Queries, recordingId: string): Promise<Passage[]> =>
  (await passagesByRecording(queries, [recordingId])).get(recordingId) ?? [];
