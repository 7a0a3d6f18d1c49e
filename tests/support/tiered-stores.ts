import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import {
  buildTieredBlobStore,
  type TieredBlobStoreOptions,
  type TieredStoreWithMoves,
} from '#server/storage/blobs/tiered/open-tiered-blob-store.ts';
import { copyPostgresTemplate } from './database-templates.ts';
import { addressOf, onPostgres } from './on-postgres.ts';
import { testPostgresUrl as server } from './test-postgres.ts';

export interface TieredStores {
  url: () => string;
  /** Empties the tables of the store. */
  clear: () => Promise<void>;
  /** Opens a store, as one more server would. It is closed after the test. */
  open: (
    options: Omit<TieredBlobStoreOptions, 'databaseUrl' | 'limitBytes'> & {
      databaseUrl?: string;
      limitBytes?: number;
    },
  ) => Promise<TieredStoreWithMoves>;
  /** Runs a statement on the database of the store. */
  query: <Row extends object>(text: string) => Promise<Row[]>;
}

/** Provides a database for the tests of one file, and stores on it. Call it in a `describe` that needs PostgreSQL. */
export function tieredStores(): TieredStores {
  const name = `tiered_${randomBytes(8).toString('hex')}`;
  const url = (): string => addressOf(server, name);
  let client: Client | null = null;
  beforeAll(async () => {
    await copyPostgresTemplate(server, name);
    client = new Client({ connectionString: url() });
    await client.connect();
  });
  afterAll(async () => {
    await client?.end();
    await onPostgres(server, (client) => client.query(`drop database ${name} with (force)`));
  });
  const query = async <Row extends object>(text: string): Promise<Row[]> => {
    if (client === null) throw new Error('the database is not open');
    return (await client.query<Row>(text)).rows;
  };
  return {
    url,
    query,
    clear: async () => {
      // Faster than to truncate small tables.
      for (const table of ['blobs', 'blob_pieces', 'blob_objects', 'unreferenced_objects'])
        await query(`delete from ${table}`);
    },
    open: async (options) => {
      const opened = await buildTieredBlobStore({ databaseUrl: url(), limitBytes: 2 ** 40, ...options });
      onTestFinished(() => opened.store.close().catch(() => undefined));
      return opened;
    },
  };
}
