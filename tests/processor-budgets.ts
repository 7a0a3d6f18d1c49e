/** What a test file of `npm test` may use, in processor seconds, including the processes that it starts. */
export const fileBudgetSeconds = 5;

/** What all unit and integration tests of `npm test` may use together, in processor seconds. */
export const totalBudgetSeconds = 600;

/** Files that may use more, each with the reason. */
export const fileBudgets: Readonly<Record<string, { seconds: number; reason: string }>> = {
  'src/server/features/recordings/imports/imported-formats.test.ts': {
    seconds: 20,
    reason: 'imports a file of each container, in processes of ffmpeg',
  },
  'src/server/features/shares/links/link-streams.test.ts': {
    seconds: 18,
    reason: 'streams 14 MB, more than sockets buffer, in each test',
  },
  'src/server/storage/rows/known-values.test.ts': {
    seconds: 18,
    reason: 'records and imports once for each of 13 columns',
  },
  'src/server/features/recordings/media/audio-sections.test.ts': {
    seconds: 17,
    reason: 'serves takes of 13 hours',
  },
  'src/server/storage/database/migrations/0024-believable-rest.test.ts': {
    seconds: 8,
    reason: 'runs migrations again, in each test',
  },
  'src/server/features/transcripts/transcripts.test.ts': {
    seconds: 8,
    reason: 'records and transcribes a take in each test',
  },
  'src/server/cli.test.ts': { seconds: 8, reason: 'starts the command seven times' },
  'src/server/processes.test.ts': { seconds: 17, reason: 'starts servers and commands as processes' },
  'src/server/features/accounts/sign-in/sign-in-abuse.test.ts': {
    seconds: 14,
    reason: 'hashes hundreds of passwords',
  },
  'src/server/features/shares/media/slow-downloads.test.ts': {
    seconds: 14,
    reason: 'converts more sound than sockets buffer, with ffmpeg',
  },
  'src/server/features/usage/reserve.test.ts': {
    seconds: 14,
    reason: 'imports and exports while the disk fills up',
  },
  'src/server/features/recordings/imports/damaged-numbers.test.ts': {
    seconds: 14,
    reason: 'damages every number of a file',
  },
  'src/server/features/exports/exports.test.ts': {
    seconds: 14,
    reason: 'converts to each format, in processes of ffmpeg',
  },
  'src/workers/import/probe/damaged-numbers.test.ts': {
    seconds: 12,
    reason: 'damages every number of a file',
  },
  'src/server/features/recordings/imports/imports.test.ts': {
    seconds: 12,
    reason: 'reads each imported file in a process of its own',
  },
  'tests/unit/upload-model.test.ts': { seconds: 12, reason: 'compares random uploads with a model' },
  'src/server/features/backups/copies.test.ts': {
    seconds: 18,
    reason: 'makes the backups of two months of two installations, on both databases',
  },
  'src/server/features/backups/restore/restore-backup.test.ts': {
    seconds: 11,
    reason: 'makes and restores backups on both databases',
  },
  'src/server/features/shares/media/shared-sections.test.ts': {
    seconds: 10,
    reason: 'serves takes of 13 hours',
  },
  'src/workers/account-import/zip/damaged-numbers.test.ts': {
    seconds: 10,
    reason: 'damages every number of a file',
  },
  'src/server/features/shares/media/shared-media.test.ts': { seconds: 10, reason: 'converts with ffmpeg' },
  'tests/identity-providers/set-up.test.ts': {
    seconds: 10,
    reason: 'starts a provider for each way to set it up',
  },
  'src/server/features/library/library.test.ts': { seconds: 10, reason: 'runs on both databases' },
  'src/server/storage/blobs/tiered/tiers.test.ts': {
    seconds: 10,
    reason: 'moves bytes between stores on both databases',
  },
  'src/audio/containers/containers.test.ts': { seconds: 9, reason: 'reads files of every container' },
  'src/server/features/uploads/uploads.test.ts': { seconds: 9, reason: 'runs on both databases' },
  'src/server/storage/blobs/tiered/pieces-vacuum.test.ts': {
    seconds: 9,
    reason: 'fills a table and waits for its vacuum',
  },
  'src/server/features/shares/links/links.test.ts': {
    seconds: 7,
    reason: 'opens links by every audience, on both databases',
  },
  'tests/identity-providers/issuers.test.ts': {
    seconds: 15,
    reason: 'signs users in with 85 kinds of issuers, and tests each before',
  },
  'tests/identity-providers/abuse-tokens.test.ts': {
    seconds: 8,
    reason: 'signs and rejects tokens of every kind',
  },
  'src/server/features/recordings/recorded-time.test.ts': {
    seconds: 8,
    reason: 'imports files of every container',
  },
  'src/server/features/recordings/remux/run-file-process.test.ts': {
    seconds: 8,
    reason: 'starts processes that break, flood and hang',
  },
  'src/audio/window/window-layout.test.ts': { seconds: 8, reason: 'lays out random windows' },
  'src/server/server.test.ts': { seconds: 8, reason: 'starts whole servers' },
};
