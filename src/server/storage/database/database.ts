import type { Kysely, Transaction } from 'kysely';
import type { Schema } from './schema.ts';

export type Queries = Kysely<Schema> | Transaction<Schema>;

/** The kind of a violated constraint, translated from either database's error code. */
export type ConstraintKind = 'unique' | 'foreign-key';

/**
 * The database can be read but not used. `newer`, `older` and `foreign` concern its contents, `engine` the version
 * of SQLite or PostgreSQL, `busy` the work of others.
 */
export class DatabaseUnusableError extends Error {
  override readonly name = 'DatabaseUnusableError';
  readonly reason: 'newer' | 'older' | 'foreign' | 'engine' | 'busy' | 'restoring';
  /** Describes what was found, worded to end a sentence. */
  readonly detail: string;
  constructor(reason: DatabaseUnusableError['reason'], detail: string) {
    super(`the database cannot be used (${reason}): ${detail}`);
    this.reason = reason;
    this.detail = detail;
  }
}

/** The database port. Two adapters: node:sqlite and PostgreSQL; one behaviour suite runs on both. */
export interface Database {
  readonly dialect: 'sqlite' | 'postgres';
  /** For reads and single statements. */
  readonly queries: Kysely<Schema>;
  /**
   * Runs `work` in one transaction that takes its write lock immediately and rolls back when `work` throws. After
   * a deadlock it runs `work` again, so side effects outside the transaction must be repeatable.
   */
  transaction<T>(work: (transaction: Transaction<Schema>) => Promise<T>): Promise<T>;
  /**
   * Runs `work` on the state of one moment, while others continue to write. It may read for as long as it needs; the
   * database keeps what it reads until then.
   */
  snapshot<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  /**
   * Locks one user's row for the length of a transaction. A no-op where a transaction locks the whole database.
   */
  lockUser(transaction: Transaction<Schema>, userId: string): Promise<void>;
  /** Returns the kind of constraint that an error violated, or null for any other error. */
  constraintOf(error: unknown): ConstraintKind | null;
  /** How many calls wait for a connection; null if the database has one connection, which is never waited for. */
  waitingForConnection(): number | null;
  /** Resolves when the database is readable. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
