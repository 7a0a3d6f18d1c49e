import { instantBounds } from '#base/instant.ts';
import { createTable, type Migration } from '#server/storage/database/migration.ts';
import { constrainNumbers } from '#server/storage/database/number-constraints.ts';

/** Stores which speech models the blob store has files of, and what the test of each showed. */
export const speechModelsMigration: Migration = {
  name: '0095-speech-models',
  oldestCode: '0065-shares',
  async up(context) {
    const { text, integer } = context.types;
    await createTable(context, 'speech_models')
      .addColumn('name', text, (column) => column.primaryKey().notNull())
      .addColumn('state', text, (column) => column.notNull())
      .addColumn('stored_bytes', integer, (column) => column.notNull())
      .addColumn('cause', text)
      .addColumn('detail', text)
      .addColumn('wrong_words', integer)
      .addColumn('ms_per_second', integer)
      .addColumn('gives', text)
      .addColumn('tested_at', integer)
      .addColumn('updated_at', integer, (column) => column.notNull())
      .execute();
    const count = { min: 0, max: Number.MAX_SAFE_INTEGER };
    await constrainNumbers(context, 'speech_models', {
      stored_bytes: count,
      wrong_words: { min: 0, max: 10_000 },
      ms_per_second: { min: 0, max: 1_000_000 },
      tested_at: instantBounds,
      updated_at: instantBounds,
    });
  },
};
