import { instantOf } from '#base/instant.ts';
import { maxSoundMs } from '#base/numbers/untrusted-numbers.ts';
import { getPosition, type PlaybackPosition, putPosition } from '#contract/positions-api.ts';
import { sessionOf } from '#server/http/callers.ts';
import { route, type Route } from '#server/http/route.ts';
import { rejectField } from '#server/http/validation.ts';
import { believablePosition } from '#server/storage/rows/believable.ts';
import { clockToleranceMs, momentOfClient } from '#server/storage/rows/moments.ts';
import type { Queries } from '#server/storage/database/database.ts';
import type { PlaybackPositionRow } from '#server/storage/database/schema.ts';
import { latestMomentMs } from '#server/storage/rows/recording-bounds.ts';
import type { AnnotationsDeps } from './annotated-recording.ts';

/** Finds the position at which a user stopped playing a recording; undefined if unknown. */
async function findPosition(
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
 * Stores a position unless a later one is stored. A stored position that is unreadable or from the future is
 * always replaced.
 */
async function storePosition(queries: Queries, row: PlaybackPositionRow, nowMs: number): Promise<void> {
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
            eb.not(eb.between('playback_positions.position_ms', 0, maxSoundMs)),
          ]),
        ),
    )
    .execute();
}

const present = (row: PlaybackPositionRow | undefined): PlaybackPosition | null =>
  row === undefined
    ? null
    : { positionMs: row.position_ms, heardAt: instantOf(row.heard_at), playerId: row.player_id };

/** The routes for playback positions. */
export function positionsRoutes({ access, database, clock, announce }: AnnotationsDeps): Route[] {
  const { queries } = database;

  return [
    route(getPosition, async (context) => {
      const { userId } = sessionOf(context);
      const { principal, params } = context;
      await access.recording(principal, params.recordingId, 'listen');
      return {
        body: {
          position: present(
            await findPosition(queries, {
              recordingId: params.recordingId,
              userId,
              nowMs: clock.nowMs(),
            }),
          ),
        },
      };
    }),
    route(putPosition, async (context) => {
      const { userId } = sessionOf(context);
      const {
        principal,
        params: { recordingId },
        body,
      } = context;
      const recording = await access.recording(principal, recordingId, 'listen');
      const largest = latestMomentMs(recording);
      if (body.positionMs > largest) throw rejectField('/positionMs', 'too-large', { largest });
      const nowMs = clock.nowMs();
      await storePosition(
        queries,
        {
          recording_id: recordingId,
          user_id: userId,
          position_ms: body.positionMs,
          heard_at: momentOfClient(body.heardAt, nowMs),
          player_id: body.playerId,
        },
        nowMs,
      );
      const position = present(await findPosition(queries, { recordingId, userId, nowMs }));
      if (position?.playerId === body.playerId) announce.positionChanged(userId, recordingId, body.playerId);
      return { body: { position } };
    }),
  ];
}
