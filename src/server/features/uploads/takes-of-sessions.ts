import type { Clock } from '#base/clock.ts';
import type { SessionTakes } from '#server/features/accounts/sessions/sessions-deps.ts';
import type { Queries } from '#server/storage/database/database.ts';

/** A take runs as long as its device may send more; after a day without bytes it is abandoned. */
const runningTakes = (queries: Queries, userId: string) =>
  queries
    .selectFrom('recordings')
    .where('owner_id', '=', userId)
    .where('state', '=', 'receiving')
    .where('source', '=', 'microphone');

/** The uploads feature's part in ending sessions. */
export function createTakesOfSessions({
  clock,
  onEnded,
}: {
  clock: Clock;
  onEnded: () => void;
}): SessionTakes {
  return {
    async running(queries, userId) {
      const rows = await runningTakes(queries, userId)
        .innerJoin('upload_capabilities', 'upload_capabilities.recording_id', 'recordings.id')
        .where('upload_capabilities.expires_at', '>', clock.nowMs())
        .where('upload_capabilities.session_id', 'is not', null)
        .select((eb) => [
          'recordings.id',
          eb.fn.coalesce('recordings.began_at', 'recordings.started_at').as('began_ms'),
          'upload_capabilities.session_id',
          'upload_capabilities.device_label',
        ])
        .distinct()
        .orderBy('began_ms', 'desc')
        .orderBy('recordings.id')
        .limit(200)
        .execute();
      return rows.map((row) => ({
        sessionId: row.session_id ?? '',
        deviceLabel: row.device_label,
        recordingId: row.id,
        startedAtMs: row.began_ms,
      }));
    },
    async end(queries, { userId, sessionIds, finishTakesOf }) {
      if (sessionIds?.length === 0) return;
      let ending = queries
        .deleteFrom('upload_capabilities')
        .where(
          'recording_id',
          'in',
          queries.selectFrom('recordings').select('id').where('owner_id', '=', userId),
        );
      ending =
        sessionIds === null
          ? ending.where(({ eb }) =>
              eb.or([
                eb('session_id', 'is', null),
                eb(
                  'session_id',
                  'not in',
                  queries.selectFrom('sessions').select('id').where('user_id', '=', userId),
                ),
              ]),
            )
          : ending.where('session_id', 'in', sessionIds);
      if (finishTakesOf.length > 0) {
        ending = ending.where(({ eb }) =>
          eb.or([
            eb('session_id', 'is', null),
            eb('session_id', 'not in', finishTakesOf),
            eb(
              'recording_id',
              'not in',
              runningTakes(queries, userId).where('finished_at', 'is', null).select('id'),
            ),
          ]),
        );
      }
      await ending.execute();
    },
    ended: onEnded,
  };
}
