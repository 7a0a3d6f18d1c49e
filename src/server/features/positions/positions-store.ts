import { believablePosition } from '../../storage/believable/believable.ts';
import type { Queries } from '../../storage/database/database.ts';
import type { PlaybackPositionRow } from '../../storage/database/positions-schema.ts';

/** Where a person stopped listening to a recording, or undefined. */
export async function findPosition(queries: Queries, recordingId: string, userId: string): Promise<PlaybackPositionRow | undefined> {
  const row = await queries.selectFrom('playback_positions').selectAll().where('recording_id', '=', recordingId).where('user_id', '=', userId).executeTakeFirst();
  return row && believablePosition(row);
}

/** Keeps a position unless a later one is there. */
export async function keepPosition(queries: Queries, row: PlaybackPositionRow): Promise<void> {
  const { position_ms, heard_at, player_id } = row;
  await queries.insertInto('playback_positions').values(row)
    .onConflict((conflict) => conflict.columns(['recording_id', 'user_id']).doUpdateSet({ position_ms, heard_at, player_id }).where('playback_positions.heard_at', '<=', heard_at))
    .execute();
}
