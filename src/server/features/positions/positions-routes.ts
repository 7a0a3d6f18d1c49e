import type { Clock } from '#base/clock.ts';
import { instantOf } from '#base/instant.ts';
import { getPosition, putPosition, type PlaybackPosition } from '#contract/positions-api.ts';
import type { Principal } from '#server/http/principal.ts';
import { ProblemError } from '#server/http/problem.ts';
import { route, type Route } from '#server/http/route.ts';
import { rejectField } from '#server/http/validation.ts';
import { momentOfClient } from '#server/storage/believable/moments.ts';
import type { Database } from '#server/storage/database/database.ts';
import type { PlaybackPositionRow } from '#server/storage/database/positions-schema.ts';
import {
  findBounds,
  latestMomentMs,
  type RecordingBounds,
} from '#server/storage/ownership/recording-bounds.ts';
import type { ChangeAnnouncer } from '#server/features/live/change-announcer.ts';
import * as store from './positions-store.ts';

export interface PositionsDeps {
  database: Database;
  clock: Clock;
  announce: Pick<ChangeAnnouncer, 'positionChanged'>;
}

const present = (row: PlaybackPositionRow | undefined): PlaybackPosition | null =>
  row === undefined
    ? null
    : { positionMs: row.position_ms, heardAt: instantOf(row.heard_at), playerId: row.player_id };

/** The calls about where people stopped listening. */
export function positionsRoutes({ database, clock, announce }: PositionsDeps): Route[] {
  const { queries } = database;

  async function ownersRecording(
    principal: Principal | null,
    recordingId: string,
  ): Promise<{ recording: RecordingBounds; userId: string }> {
    if (principal?.kind !== 'session') throw new ProblemError('not-found');
    const recording = await findBounds(queries, recordingId, principal.userId);
    if (!recording) throw new ProblemError('not-found');
    return { recording, userId: principal.userId };
  }

  return [
    route(getPosition, async ({ principal, params }) => {
      const { userId } = await ownersRecording(principal, params.recordingId);
      return {
        body: {
          position: present(
            await store.findPosition(queries, {
              recordingId: params.recordingId,
              userId,
              nowMs: clock.nowMs(),
            }),
          ),
        },
      };
    }),
    route(putPosition, async ({ principal, params: { recordingId }, body }) => {
      const { recording, userId } = await ownersRecording(principal, recordingId);
      const largest = latestMomentMs(recording);
      if (body.positionMs > largest) throw rejectField('/positionMs', 'too-large', { largest });
      const nowMs = clock.nowMs();
      await store.keepPosition(
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
      const position = present(await store.findPosition(queries, { recordingId, userId, nowMs }));
      if (position?.playerId === body.playerId) announce.positionChanged(userId, recordingId, body.playerId);
      return { body: { position } };
    }),
  ];
}
