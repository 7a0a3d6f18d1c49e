import { Client } from 'pg';
import { second } from '#base/duration.ts';

const defaultAnswerMs = 10 * second;

/** A lock that the database releases with the connection, however the process ends. */
export interface PostgresLock {
  /** Resolves with false once the connection that holds it was lost, or does not answer in time. */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
}

/**
 * Takes an advisory lock of a database. A pooler in between must be in session mode.
 * @param lock an arbitrary number that all contenders share
 * @param options.maxAnswerMs how long the database may take to answer
 * @returns null while another connection holds it
 */
export async function lockPostgres(
  url: string,
  lock: number,
  { maxAnswerMs = defaultAnswerMs }: { maxAnswerMs?: number } = {},
): Promise<PostgresLock | null> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: 10 * second,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10 * second,
    query_timeout: maxAnswerMs,
  });
  // The next statement of a connection that broke fails.
  client.on('error', () => undefined);
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
    isHeld: () =>
      client.query('select 1').then(
        () => true,
        () => false,
      ),
    release: () => client.end(),
  };
}
