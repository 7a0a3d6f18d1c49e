import { listMigrations } from '../library-migrations/list-migrations.ts';
import { recordedTimesMigration } from '../library-migrations/0026-recorded-times.ts';
import { favouritesMigration } from '../library-migrations/0062-favourites.ts';
import { untitledMigration } from '../library-migrations/0064-untitled.ts';
import { believableNumbersMigration } from '../limit-migrations/0015-believable-numbers.ts';
import { fairJobsMigration } from '../limit-migrations/0021-fair-jobs.ts';
import { believableLabelsMigration } from '../limit-migrations/0023-believable-labels.ts';
import { believableRestMigration } from '../limit-migrations/0024-believable-rest.ts';
import { installationMigration } from '../installation-migrations/0060-installation.ts';
import { importTracksMigration } from '../upload-migrations/0061-import-tracks.ts';
import { judgedImportsMigration } from '../upload-migrations/0025-judged-imports.ts';
import type { Migration } from '../migration.ts';
import { administrationMigration } from './0020-administration.ts';
import { uploadMigrations } from '../upload-migrations/upload-migrations.ts';

/** The newest steps, in their order. */
export const latestMigrations: readonly Migration[] = [...listMigrations, believableNumbersMigration, ...uploadMigrations, administrationMigration, fairJobsMigration, believableLabelsMigration, believableRestMigration, judgedImportsMigration, recordedTimesMigration, installationMigration, importTracksMigration, untitledMigration, favouritesMigration];
