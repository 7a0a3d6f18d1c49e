import type { Migration } from '#server/storage/database/migration.ts';
import { quickerListsMigration } from './0012-quicker-lists.ts';
import { numberedWordsMigration } from './0013-numbered-words.ts';
import { wordsByTitleMigration } from './0014-words-by-title.ts';
import { textWordsMigration } from './0016-text-words.ts';

/** What keeps lists and searches of very large libraries quick; the newest steps of all, in their order. */
export const listMigrations: readonly Migration[] = [
  quickerListsMigration,
  numberedWordsMigration,
  wordsByTitleMigration,
  textWordsMigration,
];
