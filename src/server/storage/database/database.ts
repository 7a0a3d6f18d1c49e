import type { Kysely, Transaction } from 'kysely';
import type { Schema } from './schema.ts';

export type Queries = Kysely<Schema> | Transaction<Schema>;

/** What a unique or foreign key said no to, translated from either database's own code. */
export type ConstraintKind = 'unique' | 'foreign-key';

/**
 * The database can be read, but not used: `newer` and `foreign` by what is in it, `engine` by the version of
 * SQLite or PostgreSQL.
 */
export class DatabaseUnusableError extends Error {
  override readonly name = 'DatabaseUnusableError';
  readonly reason: 'newer' | 'foreign' | 'engine';
  /** What was found, as the end of a sentence. */
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
   * Runs `work` in one transaction that takes its write lock at once; rolled back when it throws. Where the
   * database ended it because it and another waited for each other, it runs again: what it does beside its
   * transaction must bear that.
   */
  transaction<T>(work: (transaction: Transaction<Schema>) => Promise<T>): Promise<T>;
  /**
   * Takes the row locks of one user for the length of a transaction (a no-op where the whole database is
   * locked).
   */
  lockUser(transaction: Transaction<Schema>, userId: string): Promise<void>;
  /** Tells a broken constraint from every other error. */
  constraintOf(error: unknown): ConstraintKind | null;
  /** Answers when the database can be read. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
