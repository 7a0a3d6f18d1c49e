import type { Pool, PoolClient, QueryConfig, QueryResult, QueryResultRow } from 'pg';
import { second } from '#base/duration.ts';
import { unavailableCode } from '#base/errors/unavailable.ts';
import { isDeadlock } from '#server/storage/database/postgres/postgres-errors.ts';
import { openPostgresPool } from '#server/storage/database/postgres/postgres-pool.ts';
import { retryDeadlocks } from '#server/storage/database/retry-deadlocks.ts';

/** The time of the database, which all servers share, in milliseconds. */
export const nowMs = '(extract(epoch from clock_timestamp()) * 1000)::bigint';

const connectionsForAppends = 2;
const connectionsForTheRest = 6;

/**
 * Every statement finds its rows by an index. A plan that was made while the tables were empty, and reads all of a
 * table, would stay in use. The best plan is the same for all parameters, so each statement is planned once.
 */
const settings = [
  'enable_seqscan = off',
  'jit = off',
  'max_parallel_workers_per_gather = 0',
  'plan_cache_mode = force_generic_plan',
];

const defaultPromptTimeoutMs = 10 * second;

/** The database did not answer in time. The statement may have been executed, and the same call can succeed later. */
class HotDatabaseTimeoutError extends Error {
  override readonly name = 'HotDatabaseTimeoutError';
  readonly code = unavailableCode;
}

/** The driver has no code for it. */
const isTimeout = (error: unknown): boolean =>
  error instanceof Error && error.message === 'Query read timeout';

/** The database that stores the rows of the tiered blob store. Appends never wait behind other work. */
export class HotDatabase {
  /** Runs the statements of appends alone. */
  readonly appends: Pool;
  readonly queries: Pool;

  readonly #promptTimeoutMs: number;

  /** @param options.promptTimeoutMs how long a statement of an append, a tail or a seal may take */
  constructor(url: string, { promptTimeoutMs = defaultPromptTimeoutMs }: { promptTimeoutMs?: number } = {}) {
    this.#promptTimeoutMs = promptTimeoutMs;
    this.appends = openPostgresPool(url, { connections: connectionsForAppends, settings, names: 'all' });
    this.queries = openPostgresPool(url, { connections: connectionsForTheRest, settings, names: 'all' });
  }

  /**
   * Runs one short statement. After a failover, the system would wait for the old server for a quarter of an hour.
   * The pool replaces a connection that does not answer.
   * @throws HotDatabaseTimeoutError when there is no answer in time
   */
  async promptly<Row extends QueryResultRow>(pool: Pool, statement: QueryConfig): Promise<QueryResult<Row>> {
    const timed = { ...statement, query_timeout: this.#promptTimeoutMs };
    try {
      return await pool.query<Row>(timed);
    } catch (error) {
      if (!isTimeout(error)) throw error;
      throw new HotDatabaseTimeoutError('the database does not respond', { cause: error });
    }
  }

  /** Runs `work` in a transaction, which it may have to repeat after a deadlock. */
  transaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    return retryDeadlocks(isDeadlock, () => this.#transactionOnce(work));
  }

  async close(): Promise<void> {
    await Promise.all([this.appends.end(), this.queries.end()]);
  }

  async #transactionOnce<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.queries.connect();
    let isBroken = false;
    try {
      await client.query('begin');
      const result = await work(client);
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback').catch(() => {
        isBroken = true;
      });
      throw error;
    } finally {
      client.release(isBroken);
    }
  }
}
