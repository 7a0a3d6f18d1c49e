import type { Clock } from '#base/clock.ts';
import type { Queries } from '#server/storage/database/database.ts';

/** A take that runs, with the session that may append to it; that session may have ended. */
interface RunningTakeOf {
  sessionId: string;
  deviceLabel: string;
  recordingId: string;
  startedAtMs: number;
}

/** Whose rights to append end: those of these sessions, or of every session that no longer exists (null). */
interface EndedUploads {
  userId: string;
  sessionIds: readonly string[] | null;
  finishTakesOf: readonly string[];
}

/** What the sessions of a person may append to. */
export interface TakesOfSessions {
  /** The takes of a person that run now, by the sessions that may append to them, the newest first. */
  running(queries: Queries, userId: string): Promise<RunningTakeOf[]>;
  /**
   * Ends rights to append, but for takes that run on devices which may finish them. Call it in the
   * transaction that ended the sessions, then `ended` once that is certain.
   */
  end(queries: Queries, which: EndedUploads): Promise<void>;
  ended(): void;
}

/** A take is running as long as its device may send more; what nobody has sent to for a day is abandoned. */
const runningTakes = (queries: Queries, userId: string) =>
  queries
    .selectFrom('recordings')
    .where('owner_id', '=', userId)
    .where('state', '=', 'receiving')
    .where('source', '=', 'microphone');

/** The uploads feature's answer to sessions that end. */
export function createTakesOfSessions({
  clock,
  onEnded,
}: {
  clock: Clock;
  onEnded: () => void;
}): TakesOfSessions {
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
            eb('recording_id', 'not in', runningTakes(queries, userId).select('id')),
          ]),
        );
      }
      await ending.execute();
    },
    ended: onEnded,
  };
}
