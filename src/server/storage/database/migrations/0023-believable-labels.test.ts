import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '#base/clock.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { undone, withoutLimits } from '#tests/support/without-limits.ts';
import { newId, storeMarker, storeRecording, storeUpload, storeUser } from '#tests/support/factories.ts';
import type { Database } from '#server/storage/database/database.ts';
import { migrate } from '#server/storage/database/migrate.ts';

/** Creates one recording with a row in every table that belongs to one. */
async function storeEverything({ queries }: Database): Promise<string> {
  const { id: userId } = await storeUser(queries);
  const { id: recordingId } = await storeRecording(queries, { owner_id: userId });
  const about = { recording_id: recordingId, created_by: userId, created_at: 0 };
  await storeMarker(queries, { recording_id: recordingId, created_by: userId });
  await queries
    .insertInto('notes')
    .values({ ...about, id: newId(), from_ms: 10, to_ms: 20, text: 'Wool', revision: 1, updated_at: 0 })
    .execute();
  await queries
    .insertInto('playback_positions')
    .values({ recording_id: recordingId, user_id: userId, position_ms: 0, heard_at: 0, player_id: newId() })
    .execute();
  await queries
    .insertInto('imported_files')
    .values({
      recording_id: recordingId,
      importer_id: userId,
      file_name: 'a',
      file_media_type: 'a',
      file_size_bytes: 1,
      file_sha256: null,
      rendition: 'none',
      failure_reason: null,
    })
    .execute();
  await queries.insertInto('quotas').values({ user_id: userId, quota_bytes: 1 }).execute();
  await queries
    .insertInto('announced_recordings')
    .values({ recording_id: recordingId, size_bytes: 1 })
    .execute();
  await queries
    .insertInto('recording_changes')
    .values({
      recording_id: recordingId,
      position: 0,
      at: 0,
      kind: 'reopened',
      device_label: '',
      from_ms: null,
      duration_ms: null,
      count: null,
    })
    .execute();
  const { id: uploadId } = await storeUpload(queries, { recording_id: recordingId });
  await queries.insertInto('upload_checksums').values({ upload_id: uploadId, crc32: 0 }).execute();
  const exportId = newId();
  await queries
    .insertInto('account_exports')
    .values({
      id: exportId,
      owner_id: userId,
      state: 'ready',
      size_bytes: 0,
      entry_count: 0,
      directory_offset: 0,
      directory_size: 0,
      recording_count: 0,
      left_out: 0,
      created_at: 0,
      expires_at: 0,
    })
    .execute();
  await queries
    .insertInto('account_export_entries')
    .values({
      export_id: exportId,
      position: 0,
      path: 'a',
      size_bytes: 0,
      crc32: 0,
      offset_bytes: 0,
      directory_bytes: 0,
      upload_id: null,
      blob_key: null,
      content: '',
    })
    .execute();
  return recordingId;
}

const wrongNumbers = [
  ['markers', 'at_ms'],
  ['notes', 'from_ms'],
  ['notes', 'to_ms'],
  ['notes', 'revision'],
  ['playback_positions', 'position_ms'],
  ['playback_positions', 'heard_at'],
  ['imported_files', 'file_size_bytes'],
  ['quotas', 'quota_bytes'],
  ['announced_recordings', 'size_bytes'],
  ['recording_changes', 'from_ms'],
  ['recording_changes', 'count'],
  ['account_exports', 'size_bytes'],
  ['account_export_entries', 'offset_bytes'],
  ['account_export_entries', 'crc32'],
  ['upload_checksums', 'crc32'],
  ['uploads', 'packet_samples'],
  ['uploads', 'sealed_at'],
  ['recordings', 'distrusted_at'],
] as const;

eachDatabase((_, open) => {
  let database: Database;
  beforeEach(async () => {
    database = await open();
  });
  const write = (table: string, column: string, value: string) =>
    sql`update ${sql.table(table)} set ${sql.ref(column)} = ${sql.raw(value)}`.execute(database.queries);

  describe('impossible numbers', () => {
    test.each(wrongNumbers)(
      'are rejected in %s.%s, while possible ones are stored',
      async (table, column) => {
        await storeEverything(database);
        await expect(write(table, column, '4611686018427387904')).rejects.toThrow(
          `${table}_believable_${column}`,
        );
        await expect(write(table, column, '-4611686018427387904')).rejects.toThrow(
          `${table}_believable_${column}`,
        );
        await write(table, column, '15');
      },
    );

    test('are rejected in a new row too', async () => {
      const recordingId = await storeEverything(database);
      const { owner_id: ownerId } = await database.queries
        .selectFrom('recordings')
        .select('owner_id')
        .where('id', '=', recordingId)
        .executeTakeFirstOrThrow();
      await expect(
        storeMarker(database.queries, { recording_id: recordingId, created_by: ownerId, at_ms: -1 }),
      ).rejects.toThrow('markers_believable_at_ms');
    });

    test('from older versions delete the export plan that contains them, and no other', async () => {
      await storeEverything(database);
      const { queries } = database;
      const { id: brokenId } = await queries
        .selectFrom('account_exports')
        .select('id')
        .executeTakeFirstOrThrow();
      const entry = {
        export_id: brokenId,
        path: 'b',
        size_bytes: 0,
        crc32: 0,
        offset_bytes: 0,
        directory_bytes: 0,
        upload_id: null,
        blob_key: null,
        content: '',
      };
      await queries
        .insertInto('account_export_entries')
        .values([
          { ...entry, position: 1 },
          { ...entry, position: 2 },
        ])
        .execute();
      await storeEverything(database);
      await withoutLimits(database);
      await sql`update account_export_entries set position = position + 4611686018427387904 where export_id = ${brokenId} and position > 0`.execute(
        queries,
      );
      expect(await migrate(database, systemClock)).toEqual(undone);
      const whole = await queries.selectFrom('account_exports').select('id').execute();
      expect([whole.length, whole.some(({ id }) => id === brokenId)]).toEqual([1, false]);
      expect(await queries.selectFrom('account_export_entries').select('export_id').execute()).toEqual([
        { export_id: whole[0]?.id },
      ]);
    });

    test('from older versions are clamped to the nearest possible number', async () => {
      await storeEverything(database);
      await withoutLimits(database);
      await write('markers', 'at_ms', '4611686018427387904');
      await write('notes', 'from_ms', '4611686018427387904');
      await write('notes', 'to_ms', '4611686018427387905');
      await write('upload_checksums', 'crc32', '-1');
      expect(await migrate(database, systemClock)).toEqual(undone);
      expect(await database.queries.selectFrom('markers').select('at_ms').execute()).toEqual([
        { at_ms: 3_600_000_000 },
      ]);
      expect(await database.queries.selectFrom('notes').select(['from_ms', 'to_ms']).execute()).toEqual([
        { from_ms: 3_600_000_000, to_ms: null },
      ]);
      expect(await database.queries.selectFrom('upload_checksums').select('crc32').execute()).toEqual([
        { crc32: 0 },
      ]);
    });

    test('from older versions in a history stay distinct, at their original position where that is known', async () => {
      const recordingId = await storeEverything(database);
      const { queries } = database;
      const change = {
        recording_id: recordingId,
        kind: 'reopened' as const,
        device_label: '',
        from_ms: null,
        duration_ms: null,
        count: null,
      };
      await queries
        .insertInto('recording_changes')
        .values([1, 2, 3, 4].map((position) => ({ ...change, position, at: position })))
        .execute();
      await withoutLimits(database);
      await sql`update recording_changes set position = position + 4611686018427387904 where position in (1, 3)`.execute(
        queries,
      );
      await sql`update recording_changes set position = -4611686018427387904 where position = 4`.execute(
        queries,
      );
      expect(await migrate(database, systemClock)).toEqual(undone);
      const rows = await queries
        .selectFrom('recording_changes')
        .select(['position', 'at'])
        .orderBy('position')
        .execute();
      expect([
        rows.map(({ position }) => position),
        rows.map(({ at }) => at).toSorted((one, other) => one - other),
      ]).toEqual([
        [0, 1, 2, 3, 4],
        [0, 1, 2, 3, 4],
      ]);
    });
  });
});
