import type { Kysely, Transaction } from 'kysely';
import type { Schema } from './schema.ts';

export type Queries = Kysely<Schema> | Transaction<Schema>;

/** What a unique or foreign key said no to, translated from either database's own code. */
export type ConstraintKind = 'unique' | 'foreign-key';

/** The database port. Two adapters: node:sqlite and PostgreSQL; one behaviour suite runs on both. */
export interface Database {
  readonly dialect: 'sqlite' | 'postgres';
  /** For reads and single statements. */
  readonly queries: Kysely<Schema>;
  /**
   * Runs `work` in one transaction that takes its write lock at once; rolled back when it throws. Where the database ended it because it and
   * another waited for each other, it runs anew: what it does beside its transaction must bear that.
   */
  transaction<T>(work: (transaction: Transaction<Schema>) => Promise<T>): Promise<T>;
  /** Takes the row locks of one user for the length of a transaction (a no-op where the whole database is locked). */
  lockUser(transaction: Transaction<Schema>, userId: string): Promise<void>;
  /** Tells a broken constraint from every other error. */
  constraintOf(error: unknown): ConstraintKind | null;
  /** Answers when the database can be read. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
