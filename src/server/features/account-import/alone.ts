import type { Transaction } from 'kysely';
import { retryOnConflict } from '#server/storage/database/retry-on-conflict.ts';
import type { Schema } from '#server/storage/database/schema.ts';
import type { AccountImportDeps } from './account-import-deps.ts';

/**
 * Runs work in one transaction that excludes other imports of this user. Retries once if an id was taken between
 * the check and the write.
 */
export async function alone<Result>(
  { database }: Pick<AccountImportDeps, 'database'>,
  ownerId: string,
  work: (transaction: Transaction<Schema>) => Promise<Result>,
): Promise<Result> {
  return retryOnConflict(database, () =>
    database.transaction(async (transaction) => {
      await database.lockUser(transaction, ownerId);
      return work(transaction);
    }),
  );
}
