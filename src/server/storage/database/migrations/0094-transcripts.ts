import { instantBounds } from '#base/instant.ts';
import { maxSoundMs } from '#base/numbers/untrusted-numbers.ts';
import { createTable, type Migration } from '#server/storage/database/migration.ts';
import { constrainNumbers } from '#server/storage/database/number-constraints.ts';

const length = { min: 0, max: maxSoundMs };
const count = { min: 0, max: Number.MAX_SAFE_INTEGER };

/** The words of recordings: the state of each transcript, its lines, and what users wrote in their place. */
export const transcriptsMigration: Migration = {
  name: '0094-transcripts',
  oldestCode: '0065-shares',
  async up(context) {
    const { text, integer } = context.types;
    await createTable(context, 'transcripts')
      .addColumn('recording_id', text, (column) =>
        column.primaryKey().notNull().references('recordings.id').onDelete('cascade'),
      )
      .addColumn('state', text, (column) => column.notNull())
      .addColumn('language', text)
      .addColumn('model', text)
      .addColumn('from_ms', integer, (column) => column.notNull())
      .addColumn('to_ms', integer)
      .addColumn('hears_all', integer, (column) => column.notNull())
      .addColumn('heard_to_ms', integer, (column) => column.notNull())
      .addColumn('cause', text)
      .addColumn('revision', integer, (column) => column.notNull())
      .addColumn('created_at', integer, (column) => column.notNull())
      .addColumn('updated_at', integer, (column) => column.notNull())
      .addColumn('ended_at', integer)
      .execute();
    await constrainNumbers(context, 'transcripts', {
      from_ms: length,
      to_ms: length,
      hears_all: { min: 0, max: 1 },
      heard_to_ms: length,
      revision: count,
      created_at: instantBounds,
      updated_at: instantBounds,
      ended_at: instantBounds,
    });
    await createTable(context, 'transcript_lines')
      .addColumn('recording_id', text, (column) =>
        column.notNull().references('recordings.id').onDelete('cascade'),
      )
      .addColumn('from_ms', integer, (column) => column.notNull())
      .addColumn('to_ms', integer, (column) => column.notNull())
      .addColumn('chunk_from_ms', integer, (column) => column.notNull())
      .addColumn('chunk_to_ms', integer, (column) => column.notNull())
      .addColumn('timing', text, (column) => column.notNull())
      .addColumn('doubt', text)
      .addColumn('cause', text)
      .addColumn('language', text)
      .addColumn('text', text, (column) => column.notNull())
      .addColumn('times', text, (column) => column.notNull())
      .addColumn('words', text, (column) => column.notNull())
      .addColumn('words_version', integer, (column) => column.notNull())
      .addPrimaryKeyConstraint('transcript_lines_key', ['recording_id', 'from_ms'])
      .execute();
    await constrainNumbers(context, 'transcript_lines', {
      from_ms: length,
      to_ms: length,
      chunk_from_ms: length,
      chunk_to_ms: length,
      words_version: count,
    });
    await createTable(context, 'transcript_corrections')
      .addColumn('id', text, (column) => column.primaryKey().notNull())
      .addColumn('recording_id', text, (column) =>
        column.notNull().references('recordings.id').onDelete('cascade'),
      )
      .addColumn('from_ms', integer, (column) => column.notNull())
      .addColumn('to_ms', integer, (column) => column.notNull())
      .addColumn('text', text, (column) => column.notNull())
      .addColumn('revision', integer, (column) => column.notNull())
      .addColumn('created_by', text, (column) => column.notNull())
      .addColumn('created_at', integer, (column) => column.notNull())
      .addColumn('updated_at', integer, (column) => column.notNull())
      .addColumn('words', text, (column) => column.notNull())
      .addColumn('words_version', integer, (column) => column.notNull())
      .execute();
    await constrainNumbers(context, 'transcript_corrections', {
      from_ms: length,
      to_ms: length,
      revision: count,
      created_at: instantBounds,
      updated_at: instantBounds,
      words_version: count,
    });
    const { schema } = context.transaction;
    await schema
      .createIndex('transcript_corrections_recording')
      .on('transcript_corrections')
      .columns(['recording_id', 'from_ms'])
      .execute();
    await createTable(context, 'transcribed_days')
      .addColumn('user_id', text, (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('day', text, (column) => column.notNull())
      .addColumn('sound_ms', integer, (column) => column.notNull())
      .addPrimaryKeyConstraint('transcribed_days_key', ['user_id', 'day'])
      .execute();
    await constrainNumbers(context, 'transcribed_days', { sound_ms: count });
  },
};
