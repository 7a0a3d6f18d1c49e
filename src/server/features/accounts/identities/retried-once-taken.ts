import { ProblemError } from '#server/http/problem.ts';
import type { Database } from '#server/storage/database/database.ts';

/**
 * Where only rows are locked, an address can turn out taken by the very person who arrives, in another
 * window, in between.
 */
const isTaken = (database: Database, error: unknown): boolean =>
  database.constraintOf(error) === 'unique' ||
  (error instanceof ProblemError && error.code === 'account-exists');

/**
 * Runs work that looks whether something is taken and takes it. Where somebody else took it in between, the
 * second look finds it.
 */
export async function retriedOnceTaken<T>(database: Database, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isTaken(database, error)) throw error;
    return work();
  }
}
