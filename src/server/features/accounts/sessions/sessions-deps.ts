import type { Transaction } from 'kysely';
import type { Clock } from '#base/clock.ts';
import type { Database, Queries } from '#server/storage/database/database.ts';
import type { Schema } from '#server/storage/database/schema.ts';
import type { AccountCookies } from '#server/features/accounts/cookies.ts';

export type AccountsTransaction = Transaction<Schema>;

/** The uploads of a user's sessions; the uploads feature implements it. */
export interface SessionTakes {
  /** The running takes of a user with the sessions that may append to them, newest first. */
  running(
    queries: Queries,
    userId: string,
  ): Promise<{ sessionId: string; deviceLabel: string; recordingId: string; startedAtMs: number }[]>;
  /**
   * Revokes upload capabilities in the transaction that ended the sessions: those of the given sessions, or
   * (`null`) of all sessions that no longer exist. Running takes of sessions in `finishTakesOf` continue, unless
   * they were finished before: anyone who reopened a recording must prove again who they are.
   */
  end(
    queries: Queries,
    which: { userId: string; sessionIds: readonly string[] | null; finishTakesOf: readonly string[] },
  ): Promise<void>;
  /** Called after the commit; drops cached capabilities. */
  ended(): void;
}

/** The dependencies of code that starts, renews or ends sessions. */
export interface SessionsDeps {
  database: Database;
  clock: Clock;
  cookies: AccountCookies;
  takes: SessionTakes;
  /** Closes the open connections of an ended session in this process. */
  onSessionEnded: (sessionId: string, userId: string) => void;
}
