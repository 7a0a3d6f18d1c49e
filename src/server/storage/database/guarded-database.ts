import { AsyncLocalStorage } from 'node:async_hooks';
import type { Kysely, KyselyPlugin } from 'kysely';
import type { ConstraintKind, Database } from './database.ts';
import { retryDeadlocks } from './retry-deadlocks.ts';
import type { Schema } from './schema.ts';

export interface DatabaseParts {
  dialect: Database['dialect'];
  kysely: Kysely<Schema>;
  snapshot: Database['snapshot'];
  lockUser: Database['lockUser'];
  constraintOf: (error: unknown) => ConstraintKind | null;
  waitingForConnection: () => number | null;
  /** Returns whether the database aborted a transaction to resolve a deadlock. */
  isDeadlock: (error: unknown) => boolean;
}

const misuse =
  'database.queries and database.transaction must not be used inside a transaction: pass its `transaction` on';

/**
 * Builds the port from a query builder. SQLite has one connection: inside a transaction, `queries` would wait
 * silently and for ever for that transaction. The wrong call throws instead, on both databases.
 */
export function guardedDatabase(parts: DatabaseParts): Database {
  const scope = new AsyncLocalStorage<{ open: boolean }>();
  const rejectInside = (): void => {
    if (scope.getStore()?.open === true) throw new Error(misuse);
  };
  const guard: KyselyPlugin = {
    transformQuery({ node }) {
      rejectInside();
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
  const queries = parts.kysely.withPlugin(guard);
  const runOnce: Database['transaction'] = async (work) => {
    const state = { open: true };
    try {
      return await parts.kysely
        .transaction()
        .execute((transaction) => scope.run(state, () => work(transaction)));
    } finally {
      // Work that was started in the transaction and outlives it may use `queries` again.
      state.open = false;
    }
  };
  return {
    dialect: parts.dialect,
    queries,
    async transaction(work) {
      rejectInside();
      return retryDeadlocks(parts.isDeadlock, () => runOnce(work));
    },
    snapshot(work) {
      rejectInside();
      return parts.snapshot(work);
    },
    lockUser: (transaction, userId) => parts.lockUser(transaction, userId),
    constraintOf: parts.constraintOf,
    waitingForConnection: () => parts.waitingForConnection(),
    async ping() {
      await queries.selectNoFrom((expression) => expression.lit(1).as('one')).execute();
    },
    close: () => parts.kysely.destroy(),
  };
}
