import { relative } from 'node:path';
import { afterAll, describe, expect, onTestFinished } from 'vitest';
import type { Database } from '#server/storage/database/database.ts';
import { openPostgresDatabase } from '#server/storage/database/postgres/open-postgres-database.ts';
import { openSqliteDatabase } from '#server/storage/database/sqlite/open-sqlite-database.ts';
import { copySqliteTemplate } from './database-templates.ts';
import { addressOf } from './on-postgres.ts';
import { PostgresClones } from './postgres-clones.ts';
import { databasesOf } from '../tiers.ts';
import { hasPostgres, testPostgresUrl as url } from './test-postgres.ts';

/**
 * A database for one test, with an up-to-date schema. `reopen` opens the same data again, as another server would.
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

async function newPostgres(clean: Clean, clones: PostgresClones): Promise<() => Promise<Database>> {
  const name = await clones.take();
  clean(() => clones.giveBack(name));
  return () => openPostgresDatabase({ url: addressOf(url, name) });
}

/** A SQLite database for a test that does not depend on the database. */
export async function freshDatabase(): Promise<Database> {
  const database = await openSqliteDatabase({ path: await copySqliteTemplate(onTestFinished) });
  onTestFinished(() => database.close());
  return database;
}

/** Cleans up after the running test, or after the suite if no test is running, in reverse order of creation. */
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
  const clones = new PostgresClones(url);
  const openPair = async (): Promise<TestDatabase> => {
    const opener = name === 'sqlite' ? await newSqlite(clean) : await newPostgres(clean, clones);
    const reopen = async (): Promise<Database> => {
      const opened = await opener();
      clean(() => opened.close());
      return opened;
    };
    return { database: await reopen(), reopen };
  };
  afterAll(async () => {
    for (const cleaner of afterSuite) await cleaner();
    await clones.dropAll();
  });
  suite(name, async () => (await openPair()).database, openPair);
}

/**
 * Runs a suite on fresh SQLite files and, if `TEST_POSTGRES_URL` is set, on empty PostgreSQL databases, which are
 * created once per file and emptied after each test: on those of the tier that runs (tests/tiers.ts). Databases from `open` are closed and deleted after the test, or after the suite if opened in `beforeAll`.
 */
export function eachDatabase(
  suite: (name: string, open: () => Promise<Database>, openPair: () => Promise<TestDatabase>) => void,
): void {
  const runs = databasesOf(relative(process.cwd(), expect.getState().testPath ?? ''));
  const kinds = [
    { name: 'sqlite', label: 'SQLite', canRun: true },
    { name: 'postgres', label: 'PostgreSQL', canRun: hasPostgres },
  ] as const;
  for (const { name, label, canRun } of kinds.filter((kind) => runs[kind.name]))
    describe.skipIf(!canRun)(`on ${label}`, () => {
      suiteOn(name, suite);
    });
}
