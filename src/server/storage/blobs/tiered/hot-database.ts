import {
  type ClientBase,
  Pool,
  type PoolClient,
  type QueryConfig,
  type QueryResult,
  type QueryResultRow,
  types,
} from 'pg';
import { second } from '#base/duration.ts';
import { unavailableCode } from '#base/errors/unavailable.ts';
import { numberOf } from '#server/storage/database/number-of.ts';

/** The time of the database, which all servers share, in milliseconds. */
export const nowMs = '(extract(epoch from clock_timestamp()) * 1000)::bigint';

const connectionsForAppends = 2;
const connectionsForTheRest = 6;
/** How often work that met a deadlock is tried. */
const mostTries = 4;

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const deadlockDetected = '40P01';

/** Whether PostgreSQL undid a statement or transaction to end a deadlock. */
export const isDeadlock = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === deadlockDetected;

/**
 * Every statement finds its rows by an index. A plan that was made while the tables were empty, and reads all of a
 * table, would stay in use.
 */
async function prepare(client: ClientBase): Promise<void> {
  for (const setting of ['enable_seqscan = off', 'jit = off', 'max_parallel_workers_per_gather = 0'])
    await client.query(`set ${setting}`).catch(() => undefined);
}

function openPool(url: string, connections: number): Pool {
  const pool = new Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: 10 * second,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10 * second,
    onConnect: (client): unknown => prepare(client),
    types: {
      getTypeParser: (oid, format) =>
        oid === types.builtins.INT8 && format !== 'binary' ? numberOf : types.getTypeParser(oid, format),
    },
  });
  // Without a listener, a broken idle connection ends the process.
  pool.on('error', () => undefined);
  return pool;
}

const usualPromptTimeoutMs = 10 * second;

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
  constructor(url: string, { promptTimeoutMs = usualPromptTimeoutMs }: { promptTimeoutMs?: number } = {}) {
    this.#promptTimeoutMs = promptTimeoutMs;
    this.appends = openPool(url, connectionsForAppends);
    this.queries = openPool(url, connectionsForTheRest);
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
  async transaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#transactionOnce(work);
      } catch (error) {
        if (tries === mostTries || !isDeadlock(error)) throw error;
      }
    }
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
