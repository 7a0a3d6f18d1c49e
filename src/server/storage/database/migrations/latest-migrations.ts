import { listMigrations } from '#server/storage/database/library-migrations/list-migrations.ts';
import { recordedTimesMigration } from '#server/storage/database/library-migrations/0026-recorded-times.ts';
import { favouritesMigration } from '#server/storage/database/library-migrations/0062-favourites.ts';
import { untitledMigration } from '#server/storage/database/library-migrations/0064-untitled.ts';
import { believableNumbersMigration } from '#server/storage/database/limit-migrations/0015-believable-numbers.ts';
import { fairJobsMigration } from '#server/storage/database/limit-migrations/0021-fair-jobs.ts';
import { believableLabelsMigration } from '#server/storage/database/limit-migrations/0023-believable-labels.ts';
import { believableRestMigration } from '#server/storage/database/limit-migrations/0024-believable-rest.ts';
import { installationMigration } from '#server/storage/database/installation-migrations/0060-installation.ts';
import { importTracksMigration } from '#server/storage/database/upload-migrations/0061-import-tracks.ts';
import { judgedImportsMigration } from '#server/storage/database/upload-migrations/0025-judged-imports.ts';
import type { Migration } from '#server/storage/database/migration.ts';
import { administrationMigration } from './0020-administration.ts';
import { uploadMigrations } from '#server/storage/database/upload-migrations/upload-migrations.ts';

/** The newest steps, in their order. */
export const latestMigrations: readonly Migration[] = [
  ...listMigrations,
  believableNumbersMigration,
  ...uploadMigrations,
  administrationMigration,
  fairJobsMigration,
  believableLabelsMigration,
  believableRestMigration,
  judgedImportsMigration,
  recordedTimesMigration,
  installationMigration,
  importTracksMigration,
  untitledMigration,
  favouritesMigration,
];
