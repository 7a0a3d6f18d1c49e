import { sql } from 'kysely';
import { createTable, type Migration } from '#server/storage/database/migration.ts';

/**
 * Stores the announced size of an imported recording until it is finished; the server accepts no more bytes than
 * that. The bytes of abandoned takes count from now on; the next check for abandoned takes measures segments that
 * were never sealed.
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
