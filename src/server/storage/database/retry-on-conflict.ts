import type { Database } from './database.ts';

/**
 * Runs work that checks that a value is free and then claims it. Where only rows are locked, two writers can pass
 * the check at once: the one that violates a unique constraint runs again, and its second check finds the value.
 * @param isConflict matches other errors that mean a conflict
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
