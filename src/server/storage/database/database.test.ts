import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '#base/clock.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import {
  newId,
  storeMarker,
  storeRecording,
  storeSession,
  storeUpload,
  storeUser,
} from '#tests/support/factories.ts';
import { withoutLimits } from '#tests/support/without-limits.ts';
import { ownerWord } from '#server/storage/search/search-index.ts';
import { searchFor } from '#server/storage/search/search-query.ts';
import type { Database, Queries } from './database.ts';
import { assertMigrated, migrate } from './migrate.ts';
import type { MigrationContext } from './migration.ts';
import { migrations } from './migrations/all-migrations.ts';

/** Empties the database as if no server had ever opened it. */
async function dropEverything({ dialect, queries }: Database): Promise<void> {
  const tables = (await queries.introspection.getTables({ withInternalKyselyTables: true }))
    .map(({ name }) => name)
    // The full-text index has internal tables, which disappear with it.
    .filter((name) => !name.startsWith('recording_words_index_'));
  if (dialect === 'sqlite') await sql`pragma foreign_keys = off`.execute(queries);
  for (const table of tables.toSorted((one, other) => other.length - one.length))
    await sql`drop table if exists ${sql.table(table)} ${sql.raw(dialect === 'postgres' ? 'cascade' : '')}`.execute(
      queries,
    );
  if (dialect === 'sqlite') await sql`pragma foreign_keys = on`.execute(queries);
}

/** A recording with a note, as a version without search words of texts stored it. */
async function storeOlderRecording(queries: Queries, ownerId: string): Promise<{ id: string }> {
  const id = newId();
  const at = { created_at: 0, updated_at: 0 };
  await queries
    .insertInto('recordings')
    .values({
      id,
      owner_id: ownerId,
      title: 'Harbour',
      title_folded: 'harbour',
      language: null,
      started_at: 0,
      time_zone: 'UTC',
      duration_ms: 0,
      state: 'receiving',
      container: 'ogg',
      codec: 'opus',
      sample_rate_hz: 48_000,
      channels: 1,
      size_bytes: 0,
      stored_bytes: 0,
      sha256: null,
      source: 'microphone',
      device_label: null,
      peaks_points: 0,
      overview: null,
      gaps: '[]',
      pauses: '[]',
      people: '[]',
      damaged_at: null,
      finished_at: null,
      ...at,
      deleted_at: null,
    })
    .execute();
  await queries
    .insertInto('recording_words')
    .values({ recording_id: id, words: ` ${ownerWord(ownerId)} harbour `, version: 1 })
    .execute();
  await queries
    .insertInto('notes')
    .values({
      id: newId(),
      recording_id: id,
      from_ms: 0,
      to_ms: null,
      text: 'Größe',
      revision: 1,
      created_by: ownerId,
      ...at,
    })
    .execute();
  return { id };
}

async function caught(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

eachDatabase((name, open, openPair) => {
  let database: Database;
  beforeEach(async () => {
    database = await open();
  });

  describe('migrations', () => {
    it('run once: a second run changes nothing', async () => {
      expect(await migrate(database, systemClock)).toEqual([]);
    });

    it('run once when several servers open a new database', async () => {
      const pair = await openPair();
      await dropEverything(pair.database);
      // Two SQLite connections in one process would block each other's thread, so they run one after the other.
      const others =
        name === 'postgres'
          ? await Promise.all([pair.reopen(), pair.reopen(), pair.reopen()])
          : [await pair.reopen(), await pair.reopen()];
      for (const other of others)
        expect(await other.queries.selectFrom('users').select('id').execute()).toEqual([]);
    });

    it('number and index data of an older version', async () => {
      await dropEverything(database);
      await migrate(database, systemClock, { upTo: '0011-exports' });
      const { id: ownerId } = await storeUser(database.queries);
      const older = await storeOlderRecording(database.queries, ownerId);
      expect((await migrate(database, systemClock)).slice(0, 5)).toEqual([
        '0012-quicker-lists',
        '0013-numbered-words',
        '0014-words-by-title',
        '0015-believable-numbers',
        '0016-text-words',
      ]);
      const newer = await storeRecording(database.queries, { owner_id: ownerId, title: 'Harbours' });
      const { byIndex, byFinds, byWords } = searchFor(database.dialect, ownerId, {
        whole: [],
        prefix: 'harb',
      });
      const { condition, before } = byFinds;
      for (const found of [byIndex, condition, byWords]) {
        const query = database.queries.selectFrom('recordings').select('id').where(found).orderBy('title');
        const rows =
          found === condition && before !== null
            ? (await sql<{ id: string }>`${before} ${query}`.execute(database.queries)).rows
            : await query.execute();
        expect(rows.map(({ id }) => id)).toEqual([older.id, newer.id]);
      }
    });

    it('leave the times of older recordings as moments', async () => {
      await dropEverything(database);
      await migrate(database, systemClock, { upTo: '0024-believable-rest' });
      const { id: ownerId } = await storeUser(database.queries);
      const { id } = await storeOlderRecording(database.queries, ownerId);
      expect(await migrate(database, systemClock)).toContain('0026-recorded-times');
      const rows = await database.queries
        .selectFrom('recordings')
        .select(['id', 'started_at', 'time_zone', 'recorded_kind', 'recorded_date', 'began_at'])
        .execute();
      expect(rows).toEqual([
        { id, started_at: 0, time_zone: 'UTC', recorded_kind: 'moment', recorded_date: null, began_at: null },
      ]);
    });

    it('clear titles that earlier versions generated, and index those recordings again', async () => {
      await dropEverything(database);
      await migrate(database, systemClock, { upTo: '0061-import-tracks' });
      const { queries } = database;
      const { id: ownerId } = await storeUser(queries);
      const startedAtMs = Date.UTC(2026, 10, 25, 0, 18);
      const stored = {
        owner_id: ownerId,
        started_at: startedAtMs,
        time_zone: 'Europe/Berlin',
        source: 'microphone',
      } as const;
      const generated = await storeRecording(queries, {
        ...stored,
        title: 'Recording, Nov 25, 2026, 1:18 AM',
      });
      const edited = await storeRecording(queries, {
        ...stored,
        title: 'Aufnahme vom 25.11.2026, 01:18',
        started_at: startedAtMs + 3_600_000 * 24,
        began_at: startedAtMs,
      });
      const given = await storeRecording(queries, { ...stored, title: 'Recording with Rosa' });
      expect(await migrate(database, systemClock)).toContain('0064-untitled');
      const titles = await queries.selectFrom('recordings').select(['id', 'title', 'title_folded']).execute();
      expect(new Map(titles.map(({ id, title, title_folded: folded }) => [id, title + folded]))).toEqual(
        new Map([
          [generated.id, ''],
          [edited.id, ''],
          [given.id, 'Recording with Rosarecording with rosa'],
        ]),
      );
      const stale = await queries.selectFrom('stale_words').select('recording_id').execute();
      expect(stale.map((row) => row.recording_id).toSorted()).toEqual([generated.id, edited.id].toSorted());
    });

    it('clamp impossible numbers and mark the recording as distrusted', async () => {
      await dropEverything(database);
      await migrate(database, systemClock, { upTo: '0014-words-by-title' });
      const { queries } = database;
      await sql`insert into users (id, display_name, role, created_at) values ('ann', 'Ann', 'member', 0)`.execute(
        queries,
      );
      for (const [id, durationMs, startedAtMs] of [
        ['long', '4611686018427387904', '1000'],
        ['late', '5', '9007199254740993'],
        ['sound', '7', '1000'],
      ] as const) {
        await sql`insert into recordings (id, owner_id, title, title_folded, started_at, time_zone, duration_ms, state, container, codec, sample_rate_hz, channels, size_bytes, stored_bytes, source, peaks_points, gaps, pauses, people, created_at, updated_at)
          values (${id}, 'ann', 'T', 't', ${sql.raw(startedAtMs)}, 'UTC', ${sql.raw(durationMs)}, 'ready', 'ogg', 'opus', 48000, 1, 0, 0, 'microphone', 0, '[]', '[]', '[]', 0, 9)`.execute(
          queries,
        );
      }
      expect(await migrate(database, systemClock)).toContain('0015-believable-numbers');
      const rows = await queries
        .selectFrom('recordings')
        .select(['id', 'duration_ms', 'started_at', 'distrusted_at'])
        .orderBy('id')
        .execute();
      expect(rows).toEqual([
        { id: 'late', duration_ms: 5, started_at: 253_402_300_799_999, distrusted_at: 9 },
        { id: 'long', duration_ms: 3_600_000_000, started_at: 1000, distrusted_at: 9 },
        { id: 'sound', duration_ms: 7, started_at: 1000, distrusted_at: null },
      ]);
    });

    it('reject a database created by a newer version', async () => {
      await sql`insert into schema_migrations (name, ran_at) values ('9999-later', 0)`.execute(
        database.queries,
      );
      await expect(migrate(database, systemClock)).rejects.toThrow('9999-later');
      await expect(assertMigrated(database)).rejects.toThrow('9999-later');
    });

    const addColumn = {
      name: '9998-added-column',
      oldestCode: migrations.at(-1)?.name ?? '',
      up: async ({ transaction }: MigrationContext) => {
        await transaction.schema.alterTable('tags').addColumn('added', 'text').execute();
      },
    };
    const dropColumn = {
      name: '9999-dropped-column',
      up: async ({ transaction }: MigrationContext) => {
        await transaction.schema.alterTable('tags').dropColumn('added').execute();
      },
    };

    it('let code start that a newer schema supports, and reject code that it does not', async () => {
      const newer = [...migrations, addColumn];
      expect(await migrate(database, systemClock, { code: newer })).toEqual([addColumn.name]);
      expect(await migrate(database, systemClock)).toEqual([]);
      await assertMigrated(database);
      await migrate(database, systemClock, { code: [...newer, dropColumn] });
      await expect(migrate(database, systemClock)).rejects.toThrow(dropColumn.name);
      await expect(migrate(database, systemClock, { code: migrations.slice(0, -1) })).rejects.toThrow(
        addColumn.name,
      );
    });

    it('are only checked where a command must not run them', async () => {
      await dropEverything(database);
      await expect(assertMigrated(database)).rejects.toMatchObject({ reason: 'older' });
      expect(await database.queries.introspection.getTables({ withInternalKyselyTables: true })).toEqual([]);
      await migrate(database, systemClock, { upTo: '0011-exports' });
      const error = await caught(assertMigrated(database));
      expect(error).toMatchObject({ reason: 'older', detail: expect.stringContaining('0012-quicker-lists') });
      await migrate(database, systemClock);
      await assertMigrated(database);
    });

    it('continue a ledger of versions that did not record which code a step supports', async () => {
      await sql`alter table schema_migrations drop column oldest_code`.execute(database.queries);
      await assertMigrated(database);
      expect(await migrate(database, systemClock)).toEqual([]);
      expect(await migrate(database, systemClock, { code: [...migrations, addColumn] })).toEqual([
        addColumn.name,
      ]);
    });

    it.runIf(name === 'postgres')('wait for a reader without stopping those behind it', async () => {
      const { database: reading, reopen } = await openPair();
      const migrating = await reopen();
      const [isReading, mayEnd] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
      const read = reading.transaction(async (transaction) => {
        await transaction.selectFrom('tags').selectAll().execute();
        isReading.resolve(undefined);
        await mayEnd.promise;
      });
      await isReading.promise;
      const migrated = migrate(migrating, systemClock, { code: [...migrations, addColumn] });
      // The migration waits for the reader. A query behind it gets the table once its statement gives up.
      for (let round = 0; round < 3; round += 1)
        await migrating.queries.selectFrom('tags').selectAll().execute();
      mayEnd.resolve(undefined);
      await read;
      expect(await migrated).toEqual([addColumn.name]);
    });
  });

  describe('constraints', () => {
    it('report a duplicate e-mail key as unique', async () => {
      await storeUser(database.queries, { email: 'ann@example.org' });
      const error = await caught(storeUser(database.queries, { email: 'ANN@example.org' }));
      expect(database.constraintOf(error)).toBe('unique');
    });

    it('report a duplicate primary key as unique', async () => {
      const user = await storeUser(database.queries);
      const error = await caught(storeUser(database.queries, { id: user.id, email: null }));
      expect(database.constraintOf(error)).toBe('unique');
    });

    it('report a missing owner as foreign key', async () => {
      const error = await caught(storeRecording(database.queries, { owner_id: newId() }));
      expect(database.constraintOf(error)).toBe('foreign-key');
    });

    it('report nothing for other errors', async () => {
      const error = await caught(sql`select nonsense from nowhere`.execute(database.queries));
      expect(database.constraintOf(error)).toBeNull();
      expect(database.constraintOf(new Error('other'))).toBeNull();
      expect(database.constraintOf('text')).toBeNull();
    });

    it('allow several users without an e-mail', async () => {
      await storeUser(database.queries, { email: null });
      await storeUser(database.queries, { email: null });
      expect(await database.queries.selectFrom('users').select('id').execute()).toHaveLength(2);
    });

    it('allow one upload per recording, stream and segment', async () => {
      const owner = await storeUser(database.queries);
      const recording = await storeRecording(database.queries, { owner_id: owner.id });
      await storeUpload(database.queries, { recording_id: recording.id });
      await storeUpload(database.queries, { recording_id: recording.id, stream: 'peaks' });
      await storeUpload(database.queries, { recording_id: recording.id, segment_index: 1 });
      const error = await caught(storeUpload(database.queries, { recording_id: recording.id }));
      expect(database.constraintOf(error)).toBe('unique');
    });

    it('delete everything a user owned together with the user', async () => {
      const owner = await storeUser(database.queries);
      await storeSession(database.queries, { user_id: owner.id });
      const recording = await storeRecording(database.queries, { owner_id: owner.id });
      await storeUpload(database.queries, { recording_id: recording.id });
      await storeMarker(database.queries, { recording_id: recording.id, created_by: owner.id });
      await database.queries.deleteFrom('users').where('id', '=', owner.id).execute();
      for (const table of ['sessions', 'recordings', 'uploads', 'markers'] as const) {
        expect(await database.queries.selectFrom(table).select('id').execute()).toEqual([]);
      }
    });

    it('reject impossible lengths, counts and moments', async () => {
      const owner = await storeUser(database.queries);
      const { id } = await storeRecording(database.queries, { owner_id: owner.id });
      const upload = await storeUpload(database.queries, { recording_id: id });
      for (const wrong of [
        'duration_ms = -1',
        'duration_ms = 3600000001',
        'duration_ms = 4611686018427387904',
        'size_bytes = -1',
        'stored_bytes = 9007199254740993',
        'peaks_points = -1',
        'channels = 256',
        'started_at = 8640000000000001',
        'deleted_at = 300000000000000',
      ]) {
        await expect(sql.raw(`update recordings set ${wrong}`).execute(database.queries)).rejects.toThrow(
          /recordings_believable/,
        );
      }
      for (const wrong of [
        'start_ms = -1',
        'start_ms = 3600000001',
        'size_bytes = 4611686018427387904',
        'remuxed_bytes = -1',
        'segment_index = 10000',
      ]) {
        await expect(sql.raw(`update uploads set ${wrong}`).execute(database.queries)).rejects.toThrow(
          /uploads_believable/,
        );
      }
      expect(
        await database.queries
          .selectFrom('recordings')
          .select(['duration_ms', 'distrusted_at'])
          .where('id', '=', id)
          .executeTakeFirst(),
      ).toEqual({ duration_ms: 0, distrusted_at: null });
      expect(upload.start_ms).toBe(0);
    });

    it('reject text in a number column', async () => {
      await expect(
        sql`insert into purged_recordings (id, owner_id, purged_at) values ('a', 'b', 'soon')`.execute(
          database.queries,
        ),
      ).rejects.toThrow(/cannot store TEXT value in INTEGER column|invalid input syntax for type bigint/);
    });
  });

  describe('values', () => {
    it('return unchanged: text of any script, large numbers, null', async () => {
      const owner = await storeUser(database.queries, { display_name: 'مريم 🎙️ Ärzte' });
      const stored = await storeRecording(database.queries, {
        owner_id: owner.id,
        size_bytes: Number.MAX_SAFE_INTEGER,
      });
      const read = await database.queries
        .selectFrom('recordings')
        .selectAll()
        .where('id', '=', stored.id)
        .executeTakeFirstOrThrow();
      expect(read).toMatchObject(stored);
      expect(
        await database.queries.selectFrom('users').select('display_name').executeTakeFirstOrThrow(),
      ).toEqual({ display_name: 'مريم 🎙️ Ärzte' });
    });

    it('return counts and sums as numbers', async () => {
      const owner = await storeUser(database.queries);
      await storeRecording(database.queries, { owner_id: owner.id, size_bytes: 3_000_000_000 });
      await storeRecording(database.queries, { owner_id: owner.id, size_bytes: 4_000_000_000 });
      const row = await database.queries
        .selectFrom('recordings')
        .select(({ fn }) => [
          fn.countAll<number>().as('recordings'),
          fn.sum<number>('size_bytes').as('sizeBytes'),
        ])
        .executeTakeFirstOrThrow();
      expect({ ...row }).toEqual({ recordings: 2, sizeBytes: 7_000_000_000 });
    });

    it('return as infinite from a write if they would lose digits, and the write runs once', async () => {
      const { id } = await storeUser(database.queries);
      await withoutLimits(database);
      await sql`update users set notices_seen_at = 4611686018427387904`.execute(database.queries);
      const changed = await database.queries
        .updateTable('users')
        .set({ display_name: 'Noor' })
        .where('id', '=', id)
        .returning(['display_name', 'notices_seen_at', 'created_at'])
        .executeTakeFirst();
      expect(changed).toEqual({
        display_name: 'Noor',
        notices_seen_at: Infinity,
        created_at: Date.UTC(2026, 10, 21, 9),
      });
      expect(
        await database.queries
          .deleteFrom('users')
          .where('id', '=', id)
          .returning('notices_seen_at')
          .execute(),
      ).toEqual([{ notices_seen_at: Infinity }]);
    });

    it('are rejected as a condition if they are not finite, which would match or miss every row', async () => {
      const { id } = await storeUser(database.queries);
      for (const unreadable of [Infinity, -Infinity, NaN])
        await expect(
          database.queries.deleteFrom('users').where('created_at', '<=', unreadable).execute(),
        ).rejects.toThrow(/is not a finite number|invalid input syntax for type bigint/);
      expect(await database.queries.selectFrom('users').select('id').execute()).toEqual([{ id }]);
    });

    it('return as infinite if they would lose digits, and the rest of the row is readable', async () => {
      const { rows } =
        await sql`select 9007199254740993 as big, -9007199254740993 as small, 7 as seven, 'text' as words`.execute(
          database.queries,
        );
      expect(rows).toEqual([{ big: Infinity, small: -Infinity, seven: 7, words: 'text' }]);
    });

    it("sort text by code point, whatever the machine's locale", async () => {
      const owner = await storeUser(database.queries);
      for (const title of ['b', 'a', 'B', 'ä', 'Z'])
        await storeRecording(database.queries, { owner_id: owner.id, title });
      const rows = await database.queries.selectFrom('recordings').select('title').orderBy('title').execute();
      expect(rows.map((row) => row.title)).toEqual(['B', 'Z', 'a', 'b', 'ä']);
    });

    it('are found by their folded form with like', async () => {
      const owner = await storeUser(database.queries);
      await storeRecording(database.queries, { owner_id: owner.id, title: 'Gespräch mit ÉLISE' });
      const rows = await database.queries
        .selectFrom('recordings')
        .select('title')
        .where('title_folded', 'like', '%gesprach mit elise%')
        .execute();
      expect(rows).toHaveLength(1);
    });
  });

  describe('transactions', () => {
    it('store nothing if the work throws', async () => {
      await expect(
        database.transaction(async (transaction) => {
          await storeUser(transaction);
          throw new Error('changed my mind');
        }),
      ).rejects.toThrow('changed my mind');
      expect(await database.queries.selectFrom('users').select('id').execute()).toEqual([]);
    });

    it('return the result of the work, and remain usable after a failure', async () => {
      await expect(database.transaction(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
      expect(
        await database.transaction(async (transaction) => (await storeUser(transaction)).display_name),
      ).toBe('Mira');
    });

    it("lose no update if each change runs under its user's lock", async () => {
      const user = await storeUser(database.queries, { display_name: '0' });
      const addOne = () =>
        database.transaction(async (transaction) => {
          await database.lockUser(transaction, user.id);
          const row = await transaction
            .selectFrom('users')
            .select('display_name')
            .where('id', '=', user.id)
            .executeTakeFirstOrThrow();
          await transaction
            .updateTable('users')
            .set({ display_name: String(Number(row.display_name) + 1) })
            .where('id', '=', user.id)
            .execute();
        });
      await Promise.all(Array.from({ length: 20 }, addOne));
      expect(
        await database.queries.selectFrom('users').select('display_name').executeTakeFirstOrThrow(),
      ).toEqual({ display_name: '20' });
    });

    it('both finish after a deadlock, one of them on a second try', async () => {
      const [first, second] = [await storeUser(database.queries), await storeUser(database.queries)];
      const haveOne = {
        first: Promise.withResolvers<undefined>(),
        second: Promise.withResolvers<undefined>(),
      };
      const rename = (transaction: Queries, id: string, name: string) =>
        transaction.updateTable('users').set({ display_name: name }).where('id', '=', id).execute();
      // Where one transaction waits for the other to end, as in SQLite, no deadlock occurs.
      const both = (name: 'first' | 'second', [mine, other]: [string, string]) =>
        database.transaction(async (transaction) => {
          await rename(transaction, mine, name);
          haveOne[name].resolve(undefined);
          await Promise.race([haveOne[name === 'first' ? 'second' : 'first'].promise, setTimeout(200)]);
          await rename(transaction, other, name);
        });
      await Promise.all([both('first', [first.id, second.id]), both('second', [second.id, first.id])]);
      const names = await database.queries.selectFrom('users').select('display_name').execute();
      expect(new Set(names.map(({ display_name: one }) => one)).size).toBe(1);
    });

    it('are invisible to others until they commit', async () => {
      const seen = Promise.withResolvers<undefined>();
      const outside = seen.promise.then(() => database.queries.selectFrom('users').select('id').execute());
      await expect(
        database.transaction(async (transaction) => {
          await storeUser(transaction);
          seen.resolve(undefined);
          throw new Error('rolled back');
        }),
      ).rejects.toThrow('rolled back');
      expect(await outside).toEqual([]);
    });

    it('reject queries outside themselves instead of waiting for ever', async () => {
      await expect(
        database.transaction(() => database.queries.selectFrom('users').select('id').execute()),
      ).rejects.toThrow('inside a transaction');
      await expect(database.transaction(() => sql`select 1`.execute(database.queries))).rejects.toThrow(
        'inside a transaction',
      );
      await expect(database.transaction(() => database.transaction(() => Promise.resolve()))).rejects.toThrow(
        'inside a transaction',
      );
      await database.ping();
    });
  });

  it('still has its data after it is reopened', async () => {
    const pair = await openPair();
    await storeUser(pair.database.queries, { display_name: 'Kofi' });
    await pair.database.close();
    const again = await pair.reopen();
    expect(await again.queries.selectFrom('users').select('display_name').execute()).toEqual([
      { display_name: 'Kofi' },
    ]);
  });
});
