import { type ClientBase, Pool, types } from 'pg';
import { second } from '#base/duration.ts';
import { numberOf } from '#server/storage/database/number-of.ts';
import { ConnectionWatch, type WatchLimits } from './connection-watch.ts';
import { type NamedStatements, StatementNaming } from './statement-names.ts';

/** `bigint`, and `numeric`, the type of a sum of bigints. */
const integerTypes: readonly number[] = [types.builtins.INT8, types.builtins.NUMERIC];

/**
 * Sends the settings after connecting, and the pool waits for them: a connection pooler in between may not support
 * startup settings. A rejected setting only costs time.
 */
async function prepare(client: ClientBase, settings: readonly string[]): Promise<void> {
  // The pool listens to idle connections alone. One that breaks between two statements of a transaction would end the
  // process; its next statement fails anyway.
  client.on('error', () => undefined);
  for (const setting of settings) await client.query(`set ${setting}`).catch(() => undefined);
}

/**
 * Opens a pool of connections to PostgreSQL, which returns integers as numbers.
 * @param options.connections how many it may open
 * @param options.settings of each connection, for example `jit = off`
 * @param options.names which statements are prepared once for each connection
 * @param options.watch when a connection counts as one that may have broken silently
 */
export function openPostgresPool(
  url: string,
  options: {
    connections: number;
    settings: readonly string[];
    watch?: Partial<WatchLimits>;
    names?: NamedStatements;
  },
): Pool {
  const connectionWatch = new ConnectionWatch(url, options.watch);
  const connected = async (client: ClientBase): Promise<void> => {
    const naming = new StatementNaming(client, options.names ?? 'marked');
    await prepare(client, options.settings);
    if (await connectionWatch.identify(client)) naming.turnOn();
  };
  const pool = new Pool({
    connectionString: url,
    max: options.connections,
    connectionTimeoutMillis: 10 * second,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10 * second,
    onConnect: (client): unknown => connected(client),
    types: {
      getTypeParser: (oid, format) =>
        integerTypes.includes(oid) && format !== 'binary' ? numberOf : types.getTypeParser(oid, format),
    },
  });
  // Without a listener, a broken idle connection ends the process. The pool has already removed it and opens a new
  // one on the next request.
  pool.on('error', () => undefined);
  connectionWatch.watch(pool);
  return pool;
}
