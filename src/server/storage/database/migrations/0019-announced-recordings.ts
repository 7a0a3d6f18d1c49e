import { sql } from 'kysely';
import { createTable, type Migration } from '#server/storage/database/migration.ts';

/**
 * How many bytes a restored recording was announced with, as long as it is not finished: no more of it is
 * taken. What an abandoned take left counts from now on; of segments that were never sealed the next look at
 * abandoned takes finds the size.
 */
export const announcedRecordingsMigration: Migration = {
  name: '0019-announced-recordings',
  async up(context) {
    const { text, integer } = context.types;
    await createTable(context, 'announced_recordings')
      .addColumn('recording_id', text, (column) =>
        column.primaryKey().notNull().references('recordings.id').onDelete('cascade'),
      )
      .addColumn('size_bytes', integer, (column) => column.notNull())
      .execute();
    await sql`insert into announced_recordings (recording_id, size_bytes)
      select id, stored_bytes from recordings where source = 'microphone' and state in ('receiving', 'abandoned') and finished_at is null and stored_bytes > 0`.execute(
      context.transaction,
    );
  },
};
