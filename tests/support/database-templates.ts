import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPostgresDatabase } from '#server/storage/database/postgres/open-postgres-database.ts';
import { openSqliteDatabase } from '#server/storage/database/sqlite/open-sqlite-database.ts';
import { addressOf, onPostgres } from './on-postgres.ts';
import { prepareTemplate } from './empty-postgres.ts';

// Databases with an up-to-date schema, created once by the migrations and then copied for every test.

/** Kept by the process, because its test files load this module again (tests/support/around-each-file.ts). */
const shared = globalThis as { sqliteTemplate?: Promise<string> };

async function makeSqliteTemplate(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'earshot-template-'));
  process.once('exit', () => {
    rmSync(directory, { recursive: true, force: true });
  });
  const path = join(directory, 'earshot.db');
  await (await openSqliteDatabase({ path })).close();
  return path;
}

/**
 * Creates a fresh SQLite database in its own folder and registers the folder's removal with `clean`. Returns the
 * file's path.
 */
export async function copySqliteTemplate(clean: (cleaner: () => Promise<void>) => void): Promise<string> {
  shared.sqliteTemplate ??= makeSqliteTemplate();
  const directory = await mkdtemp(join(tmpdir(), 'earshot-database-'));
  clean(() => rm(directory, { recursive: true, force: true }));
  const path = join(directory, 'earshot.db');
  await copyFile(await shared.sqliteTemplate, path);
  return path;
}

/** A name with a hash of the migrations and of what is added to them, because a database server may hold templates of several versions. */
function nameOfMigrations(): string {
  const folder = join(import.meta.dirname, '..', '..', 'src', 'server', 'storage', 'database');
  const hash = createHash('sha256');
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((each) => /migrations\/[^/]+\.ts$/.test(each))
    .sort())
    hash.update(readFileSync(join(folder, name)));
  hash.update(readFileSync(join(import.meta.dirname, 'empty-postgres.ts')));
  return `earshot_template_${hash.digest('hex').slice(0, 12)}`;
}

const templateLock = 4711;
let postgresTemplate: Promise<string> | null = null;

async function makePostgresTemplate(url: string): Promise<string> {
  const name = nameOfMigrations();
  await onPostgres(url, async (client) => {
    // One test process creates the template while the others wait. Ending the connection releases the lock.
    await client.query('select pg_advisory_lock($1)', [templateLock]);
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (rowCount === 1) return;
    await client.query(`drop database if exists ${name}_unfinished`);
    await client.query(`create database ${name}_unfinished`);
    const unfinished = addressOf(url, `${name}_unfinished`);
    await (await openPostgresDatabase({ url: unfinished })).close();
    await onPostgres(unfinished, prepareTemplate);
    await client.query(`alter database ${name}_unfinished rename to ${name}`);
  });
  return name;
}

/** The name of the PostgreSQL database that the others are copied from. */
function postgresTemplateOf(url: string): Promise<string> {
  postgresTemplate ??= makePostgresTemplate(url);
  return postgresTemplate;
}

/** Creates a fresh PostgreSQL database of that name, for a test that needs one of its own. */
export async function copyPostgresTemplate(url: string, name: string): Promise<void> {
  const template = await postgresTemplateOf(url);
  // Without fsync, copying files is faster than writing every page to the write-ahead log.
  await onPostgres(url, (client) =>
    client.query(`create database ${name} template ${template} strategy file_copy`),
  );
}
