import type { Migration } from '#server/storage/database/migration.ts';
import { accountsMigration } from './0001-accounts.ts';
import { recordingsMigration } from './0002-recordings.ts';
import { jobsMigration } from './0003-jobs.ts';
import { segmentsMigration } from './0004-segments.ts';
import { identitiesMigration } from './0005-identities.ts';
import { credentialsMigration } from './0006-credentials.ts';
import { importsMigration } from './0007-imports.ts';
import { libraryMigration } from './0008-library.ts';
import { positionsMigration } from './0009-positions.ts';
import { notesMigration } from './0010-notes.ts';
import { exportsMigration } from './0011-exports.ts';
import { quickerListsMigration } from './0012-quicker-lists.ts';
import { numberedWordsMigration } from './0013-numbered-words.ts';
import { wordsByTitleMigration } from './0014-words-by-title.ts';
import { believableNumbersMigration } from './0015-believable-numbers.ts';
import { textWordsMigration } from './0016-text-words.ts';
import { capabilitiesOfSessionsMigration } from './0018-capabilities-of-sessions.ts';
import { announcedRecordingsMigration } from './0019-announced-recordings.ts';
import { administrationMigration } from './0020-administration.ts';
import { fairJobsMigration } from './0021-fair-jobs.ts';
import { believableLabelsMigration } from './0023-believable-labels.ts';
import { believableRestMigration } from './0024-believable-rest.ts';
import { judgedImportsMigration } from './0025-judged-imports.ts';
import { recordedTimesMigration } from './0026-recorded-times.ts';
import { installationMigration } from './0060-installation.ts';
import { importTracksMigration } from './0061-import-tracks.ts';
import { favouritesMigration } from './0062-favourites.ts';
import { untitledMigration } from './0064-untitled.ts';
import { sharesMigration } from './0065-shares.ts';
import { shareAccessRequestsMigration } from './0066-share-access-requests.ts';
import { passagesMigration } from './0068-passages.ts';
import { tieredBlobsMigration } from './0070-tiered-blobs.ts';
import { backupsMigration } from './0074-backups.ts';
import { sharedLimitsMigration } from './0076-shared-limits.ts';
import { oneBackupAtATimeMigration } from './0077-one-backup-at-a-time.ts';
import { labelRevisionsMigration } from './0078-label-revisions.ts';
import { webBuildsMigration } from './0079-web-builds.ts';
import { requestsOfJobsMigration } from './0080-requests-of-jobs.ts';
import { nodesMigration } from './0081-nodes.ts';
import { movesOfTailsMigration } from './0082-moves-of-tails.ts';
import { quickVacuumOfPiecesMigration } from './0083-quick-vacuum-of-pieces.ts';
import { linksLeftOffMigration } from './0084-links-left-off.ts';
import { turnsByLaneMigration } from './0085-turns-by-lane.ts';
import { backupLineageMigration } from './0086-backup-lineage.ts';
import { datesOfFilesMigration } from './0087-dates-of-files.ts';
import { microphoneSilenceMigration } from './0088-microphone-silence.ts';
import { provenListenersMigration } from './0089-proven-listeners.ts';
import { recordingsOfAnswersMigration } from './0090-recordings-of-answers.ts';
import { quieterImportsMigration } from './0091-quieter-imports.ts';
import { channelNamesMigration } from './0092-channel-names.ts';
import { turnsOfWaitingJobsMigration } from './0093-turns-of-waiting-jobs.ts';
import { transcriptsMigration } from './0094-transcripts.ts';
import { speechModelsMigration } from './0095-speech-models.ts';

/**
 * Every migration, ordered by number. A test compares this table with the folder, because a migration missing here
 * would never run.
 */
export const migrations: readonly Migration[] = [
  accountsMigration,
  recordingsMigration,
  jobsMigration,
  segmentsMigration,
  identitiesMigration,
  credentialsMigration,
  importsMigration,
  libraryMigration,
  positionsMigration,
  notesMigration,
  exportsMigration,
  quickerListsMigration,
  numberedWordsMigration,
  wordsByTitleMigration,
  believableNumbersMigration,
  textWordsMigration,
  capabilitiesOfSessionsMigration,
  announcedRecordingsMigration,
  administrationMigration,
  fairJobsMigration,
  believableLabelsMigration,
  believableRestMigration,
  judgedImportsMigration,
  recordedTimesMigration,
  installationMigration,
  importTracksMigration,
  favouritesMigration,
  untitledMigration,
  sharesMigration,
  shareAccessRequestsMigration,
  passagesMigration,
  tieredBlobsMigration,
  backupsMigration,
  sharedLimitsMigration,
  oneBackupAtATimeMigration,
  labelRevisionsMigration,
  webBuildsMigration,
  requestsOfJobsMigration,
  nodesMigration,
  movesOfTailsMigration,
  quickVacuumOfPiecesMigration,
  linksLeftOffMigration,
  turnsByLaneMigration,
  backupLineageMigration,
  datesOfFilesMigration,
  microphoneSilenceMigration,
  provenListenersMigration,
  recordingsOfAnswersMigration,
  quieterImportsMigration,
  channelNamesMigration,
  turnsOfWaitingJobsMigration,
  transcriptsMigration,
  speechModelsMigration,
];
