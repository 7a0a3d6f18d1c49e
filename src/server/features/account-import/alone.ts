import type { Transaction } from 'kysely';
import type { Schema } from '#server/storage/database/schema.ts';
import type { AccountImportDeps } from './account-import-deps.ts';

/**
 * Runs work in one transaction while nothing else is restored for this person; once more where an id was
 * given away between looking and writing.
 */
export async function alone<Result>(
  { database }: Pick<AccountImportDeps, 'database'>,
  ownerId: string,
  work: (transaction: Transaction<Schema>) => Promise<Result>,
): Promise<Result> {
  const attempt = (): Promise<Result> =>
    database.transaction(async (transaction) => {
      await database.lockUser(transaction, ownerId);
      return work(transaction);
    });
  try {
    return await attempt();
  } catch (error) {
    if (database.constraintOf(error) !== 'unique') throw error;
    return attempt();
  }
}
