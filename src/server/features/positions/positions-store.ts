import { longestSoundMs } from '#base/numbers/untrusted-numbers.ts';
import { believablePosition } from '#server/storage/believable/believable.ts';
import { clockToleranceMs } from '#server/storage/believable/moments.ts';
import type { Queries } from '#server/storage/database/database.ts';
import type { PlaybackPositionRow } from '#server/storage/database/positions-schema.ts';

/** Where a person stopped listening to a recording, or undefined where that is not known. */
export async function findPosition(
  queries: Queries,
  { recordingId, userId, nowMs }: { recordingId: string; userId: string; nowMs: number },
): Promise<PlaybackPositionRow | undefined> {
  const row = await queries
    .selectFrom('playback_positions')
    .selectAll()
    .where('recording_id', '=', recordingId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row && believablePosition(row, nowMs);
}

/**
 * Keeps a position unless a later one is there. One that cannot be read, or that was heard in the future,
 * gives way to every other.
 */
export async function keepPosition(queries: Queries, row: PlaybackPositionRow, nowMs: number): Promise<void> {
  const { position_ms, heard_at, player_id } = row;
  await queries
    .insertInto('playback_positions')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['recording_id', 'user_id'])
        .doUpdateSet({ position_ms, heard_at, player_id })
        .where((eb) =>
          eb.or([
            eb('playback_positions.heard_at', '<=', heard_at),
            eb('playback_positions.heard_at', '>', nowMs + clockToleranceMs),
            eb.not(eb.between('playback_positions.position_ms', 0, longestSoundMs)),
          ]),
        ),
    )
    .execute();
}
