import { randomBytes } from 'node:crypto';
import { afterAll, describe, onTestFinished } from 'vitest';
import type { Database } from '#server/storage/database/database.ts';
import { openPostgresDatabase } from '#server/storage/database/postgres/open-postgres-database.ts';
import { openSqliteDatabase } from '#server/storage/database/sqlite/open-sqlite-database.ts';
import { addressOf, copyPostgresTemplate, copySqliteTemplate, onPostgres } from './database-templates.ts';

/**
 * A database for one test, its schema up to date; `reopen` opens the same data once more, as another server
 * would.
 */
export interface TestDatabase {
  database: Database;
  reopen: () => Promise<Database>;
}

type Cleaner = () => Promise<void>;
type Clean = (cleaner: Cleaner) => void;

async function newSqlite(clean: Clean): Promise<() => Promise<Database>> {
  const path = await copySqliteTemplate(clean);
  return () => openSqliteDatabase({ path });
}

async function newPostgres(clean: Clean, url: string): Promise<() => Promise<Database>> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await copyPostgresTemplate(url, name);
  clean(async () => {
    await onPostgres(url, (client) => client.query(`drop database ${name} with (force)`));
  });
  return () => openPostgresDatabase({ url: addressOf(url, name) });
}

/** An embedded database for one test, where the database decides nothing. */
export async function freshDatabase(): Promise<Database> {
  const database = await openSqliteDatabase({ path: await copySqliteTemplate(onTestFinished) });
  onTestFinished(() => database.close());
  return database;
}

/**
 * Cleans after the test that is running, or after the whole suite when there is none; the last thing made
 * goes first.
 */
function cleanUp(afterSuite: Cleaner[]): Clean {
  return (cleaner) => {
    try {
      onTestFinished(cleaner);
    } catch {
      afterSuite.unshift(cleaner);
    }
  };
}

function suiteOn(
  name: 'sqlite' | 'postgres',
  suite: (name: string, open: () => Promise<Database>, openPair: () => Promise<TestDatabase>) => void,
): void {
  const afterSuite: Cleaner[] = [];
  const clean = cleanUp(afterSuite);
  const openPair = async (): Promise<TestDatabase> => {
    const url = process.env['TEST_POSTGRES_URL'] ?? '';
    const opener = name === 'sqlite' ? await newSqlite(clean) : await newPostgres(clean, url);
    const reopen = async (): Promise<Database> => {
      const opened = await opener();
      clean(() => opened.close());
      return opened;
    };
    return { database: await reopen(), reopen };
  };
  afterAll(async () => {
    for (const cleaner of afterSuite) await cleaner();
  });
  suite(name, async () => (await openPair()).database, openPair);
}

/**
 * Runs a suite on a fresh SQLite file and, where `TEST_POSTGRES_URL` names a server, on a fresh database of
 * PostgreSQL. What `open` gives is closed and deleted after the test (or, opened in `beforeAll`, after the
 * suite).
 */
export function eachDatabase(
  suite: (name: string, open: () => Promise<Database>, openPair: () => Promise<TestDatabase>) => void,
): void {
  describe('on SQLite', () => {
    suiteOn('sqlite', suite);
  });
  describe.skipIf(process.env['TEST_POSTGRES_URL'] === undefined)('on PostgreSQL', () => {
    suiteOn('postgres', suite);
  });
}
