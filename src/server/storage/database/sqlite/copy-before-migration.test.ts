import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import type { Migration } from '#server/storage/database/migration.ts';
import { newFolder } from '#tests/support/start-server.ts';
import { fillUp, smallFileSystem } from '#tests/support/small-file-system.ts';
import { copyBeforeMigration, type DatabaseCopy } from './copy-before-migration.ts';

const migration = (name: string, oldestCode?: string): Migration => ({
  name,
  ...(oldestCode === undefined ? {} : { oldestCode }),
  up: () => Promise.resolve(),
});
const known = [migration('0001-first'), migration('0002-second')];

/** A database that has run these migrations, with a row that only the write-ahead log has. */
function databaseIn(folder: string, ran: readonly Migration[]): { path: string; connection: DatabaseSync } {
  const path = join(folder, 'earshot.db');
  const connection = new DatabaseSync(path);
  onTestFinished(() => {
    connection.close();
  });
  connection.exec('pragma journal_mode = wal; create table schema_migrations (name text primary key)');
  for (const { name } of ran) connection.prepare('insert into schema_migrations values (?)').run(name);
  return { path, connection };
}

const namesOfCopy = (copy: DatabaseCopy | null): unknown[] => {
  if (copy?.copied !== true) throw new Error('there is no copy');
  const database = new DatabaseSync(copy.path, { readOnly: true });
  try {
    return database
      .prepare('select name from schema_migrations')
      .all()
      .map(({ name }) => name);
  } finally {
    database.close();
  }
};
const copiesIn = (folder: string): string[] =>
  readdirSync(folder).filter((name) => name.startsWith('earshot.db.'));

test('a database is copied before the first migration that older versions do not support', () => {
  const folder = newFolder();
  const { path, connection } = databaseIn(folder, known);
  writeFileSync(join(folder, 'earshot.db.before-0002-second'), 'the copy of the version before');
  const code = [...known, migration('0003-compatible', '0002-second'), migration('0004-one-way')];
  const copy = copyBeforeMigration(connection, { path, code });
  expect(copy).toMatchObject({ copied: true, before: '0004-one-way' });
  expect(copiesIn(folder)).toEqual(['earshot.db.before-0004-one-way']);
  expect(namesOfCopy(copy)).toEqual(['0001-first', '0002-second']);
});

test.each([
  ['nothing is pending', known, known],
  ['the version before supports what is pending', known, [...known, migration('0003-added', '0002-second')]],
  ['the database is new', [], known],
])('no copy is made if %s', (_case, ran, code) => {
  const folder = newFolder();
  const { path, connection } = databaseIn(folder, ran);
  expect(copyBeforeMigration(connection, { path, code })).toBeNull();
  expect(copiesIn(folder)).toEqual([]);
});

test('without space for the copy and the migration, the earlier copy stays', ({ skip }) => {
  const disk = smallFileSystem(8);
  if (typeof disk === 'string') return skip(disk);
  onTestFinished(disk.unmount);
  const { path, connection } = databaseIn(disk.directory, known);
  connection.exec('create table filler (bytes blob); insert into filler values (zeroblob(2000000))');
  writeFileSync(join(disk.directory, 'earshot.db.before-0002-second'), 'the copy of the version before');
  fillUp(disk.directory, 3_000_000);
  const code = [...known, migration('0003-one-way')];
  expect(copyBeforeMigration(connection, { path, code })).toMatchObject({
    copied: false,
    before: '0003-one-way',
    neededBytes: expect.toSatisfy((bytes: number) => bytes > 4_000_000) as number,
    freeBytes: expect.toSatisfy((bytes: number) => bytes <= 3_000_000) as number,
  });
  expect(copiesIn(disk.directory)).toEqual(['earshot.db.before-0002-second']);
});
