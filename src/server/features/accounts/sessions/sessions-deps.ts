import type { Transaction } from 'kysely';
import type { Clock } from '#base/clock.ts';
import type { Database, Queries } from '#server/storage/database/database.ts';
import type { Schema } from '#server/storage/database/schema.ts';
import type { AccountCookies } from '#server/features/accounts/cookies.ts';

export type AccountsTransaction = Transaction<Schema>;

/** What the sessions of a user may append to; the uploads feature's answer. */
export interface SessionTakes {
  /** The takes of a user that run now, by the sessions that may append to them, the newest first. */
  running(
    queries: Queries,
    userId: string,
  ): Promise<{ sessionId: string; deviceLabel: string; recordingId: string; startedAtMs: number }[]>;
  /**
   * Ends rights to append, within the transaction that ended the sessions: those of these sessions, or (null)
   * of all that no longer exist. Takes that run go on where they belong to a session in `finishTakesOf`.
   */
  end(
    queries: Queries,
    which: { userId: string; sessionIds: readonly string[] | null; finishTakesOf: readonly string[] },
  ): Promise<void>;
  /** The transaction is certain: what is remembered of ended rights is dropped. */
  ended(): void;
}

/** The dependencies of everything that starts, renews or ends sessions. */
export interface SessionsDeps {
  database: Database;
  clock: Clock;
  cookies: AccountCookies;
  takes: SessionTakes;
  /** Closes what an ended session has open in this process. */
  onSessionEnded: (sessionId: string, userId: string) => void;
}
