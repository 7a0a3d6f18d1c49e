import type { Database } from './database.ts';

/**
 * Runs work that checks whether a value is taken and takes it. Two writers can pass the check at once where only
 * rows are locked: the one that meets a broken unique constraint runs again, and its second check finds the value.
 * @param isConflict other errors that mean the same
 */
export async function retryOnConflict<T>(
  database: Pick<Database, 'constraintOf'>,
  work: () => Promise<T>,
  isConflict: (error: unknown) => boolean = () => false,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (database.constraintOf(error) !== 'unique' && !isConflict(error)) throw error;
    return work();
  }
}
