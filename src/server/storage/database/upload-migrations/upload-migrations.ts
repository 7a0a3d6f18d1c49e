import type { Migration } from '#server/storage/database/migration.ts';
import { announcedRecordingsMigration } from './0019-announced-recordings.ts';
import { capabilitiesOfSessionsMigration } from './0018-capabilities-of-sessions.ts';

/** Who may add bytes to a recording, and how they are counted. */
export const uploadMigrations: readonly Migration[] = [
  capabilitiesOfSessionsMigration,
  announcedRecordingsMigration,
];
