import type { Clock } from '#base/clock.ts';
import { instantOf, unixMsOf } from '#base/instant.ts';
import { getPosition, putPosition, type PlaybackPosition } from '#contract/positions-api.ts';
import type { Principal } from '../../http/principal.ts';
import { ProblemError } from '../../http/problem.ts';
import { route, type Route } from '../../http/route.ts';
import { refuseField } from '../../http/validation.ts';
import type { Database } from '../../storage/database/database.ts';
import type { PlaybackPositionRow } from '../../storage/database/positions-schema.ts';
import { findBounds, latestMomentMs, type RecordingBounds } from '../../storage/ownership/recording-bounds.ts';
import type { ChangeAnnouncer } from '../live/change-announcer.ts';
import * as store from './positions-store.ts';

export interface PositionsDeps { database: Database; clock: Clock; announce: Pick<ChangeAnnouncer, 'positionChanged'> }

const present = (row: PlaybackPositionRow | undefined): PlaybackPosition | null =>
  row === undefined ? null : { positionMs: row.position_ms, heardAt: instantOf(row.heard_at), playerId: row.player_id };

/** The calls about where people stopped listening. */
export function positionsRoutes({ database, clock, announce }: PositionsDeps): Route[] {
  const { queries } = database;

  async function ownersRecording(principal: Principal | null, recordingId: string): Promise<{ recording: RecordingBounds; userId: string }> {
    if (principal?.kind !== 'session') throw new ProblemError('not-found');
    const recording = await findBounds(queries, recordingId, principal.userId);
    if (!recording) throw new ProblemError('not-found');
    return { recording, userId: principal.userId };
  }

  return [
    route(getPosition, async ({ principal, params }) => {
      const { userId } = await ownersRecording(principal, params.recordingId);
      return { body: { position: present(await store.findPosition(queries, params.recordingId, userId)) } };
    }),
    route(putPosition, async ({ principal, params: { recordingId }, body }) => {
      const { recording, userId } = await ownersRecording(principal, recordingId);
      const largest = latestMomentMs(recording);
      if (body.positionMs > largest) throw refuseField('/positionMs', 'too-large', { largest });
      await store.keepPosition(queries, {
        recording_id: recordingId, user_id: userId, position_ms: body.positionMs, heard_at: Math.min(unixMsOf(body.heardAt), clock.nowMs()), player_id: body.playerId,
      });
      const position = present(await store.findPosition(queries, recordingId, userId));
      if (position?.playerId === body.playerId) announce.positionChanged(userId, recordingId, body.playerId);
      return { body: { position } };
    }),
  ];
}
