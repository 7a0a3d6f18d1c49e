import { Client } from 'pg';
import { second } from '#base/duration.ts';

/** A lock that the database releases with the connection, however the process ends. */
export interface PostgresLock {
  /** Whether the connection that holds it was lost. */
  readonly isLost: boolean;
  release(): Promise<void>;
}

/**
 * Takes an advisory lock of a database. A pooler in between must be in session mode.
 * @param lock an arbitrary number that all contenders share
 * @returns null while another connection holds it
 */
export async function lockPostgres(url: string, lock: number): Promise<PostgresLock | null> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: 10 * second,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10 * second,
  });
  let isLost = false;
  client.on('error', () => {
    isLost = true;
  });
  await client.connect();
  let isOurs = false;
  try {
    const { rows } = await client.query<{ is_ours: boolean }>('select pg_try_advisory_lock($1) as is_ours', [
      lock,
    ]);
    isOurs = rows[0]?.is_ours === true;
  } finally {
    // An open connection would keep the process of a command running.
    if (!isOurs) await client.end();
  }
  if (!isOurs) return null;
  return {
    get isLost() {
      return isLost;
    },
    release: () => client.end(),
  };
}
