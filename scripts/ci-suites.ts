import type { CiSuite } from './ci-schedule.ts';

/** How long the suites of a CI run may take, so that with the installation it ends within 70 minutes. */
export const totalMinutes = 67;

const npmRun = (...words: string[]): string[] => ['npm', 'run', ...words];

/**
 * What `.ci/run` runs, with the minutes of each on two idle cores, ordered by risk. The unit tests check that the suites
 * fit into the run, in turns if necessary (`ci-schedule.ts`). `test:engines` is not among them: it has not
 * passed three times in a row. Nor is `test:faults -- --engines`: it has not been seen to pass.
 */
export const ciSuites: readonly CiSuite[] = [
  { command: ['npm', 'test'], minutes: 7, isRequired: true },
  { command: npmRun('test:rest'), minutes: 10, isRequired: true, isDivisible: true },
  {
    command: npmRun('test:browser', '--', '--grep-invert', '@core'),
    minutes: 19,
    isRequired: true,
    isDivisible: true,
  },
  {
    command: npmRun('test:faults', '--', '--runs', '3'),
    minutes: 4,
    extraMinutes: 8,
    isRequired: true,
  },
  { command: npmRun('test:abuse'), minutes: 8, isRequired: true },
  {
    command: npmRun('test:explorer', '--', '--minutes', '5'),
    minutes: 5,
    covers: [/^src\/device\//, /^src\/web\/(features|recordings|app)\//, /^tests\/explorer\//],
  },
  {
    command: npmRun('test:s3'),
    minutes: 4,
    covers: [
      /^src\/server\/storage\/blobs\//,
      /^src\/server\/storage\/backups\//,
      /^src\/server\/commands\//,
    ],
  },
  {
    command: npmRun('test:backups'),
    minutes: 2,
    covers: [/^src\/server\/(features|storage)\/backups\//, /^src\/server\/commands\//, /^tests\/backups\//],
  },
  {
    command: npmRun('test:upgrade'),
    minutes: 2,
    covers: [/^src\/server\/storage\/database\/migrations\//, /^src\/contract\//, /^tests\/upgrade\//],
  },
  {
    command: npmRun('test:words'),
    minutes: 1,
    covers: [/^src\/server\/transcribers\//, /^src\/audio\/speech\//, /^tests\/words\//],
  },
  {
    command: npmRun('test:nodes'),
    minutes: 6,
    covers: [/^src\/server\/jobs\//, /^src\/server\/storage\/blobs\/tiered\//, /^tests\/nodes\//],
  },
  {
    command: npmRun('test:accessibility'),
    minutes: 5,
    covers: [/^src\/web\/ui\//, /^tests\/accessibility\//],
  },
  { command: npmRun('test:languages'), minutes: 2, covers: [/^locales\//, /^tests\/languages\//] },
  {
    command: npmRun('test:image'),
    minutes: 5,
    covers: [/^deploy\//, /^package-lock\.json$/, /^tests\/image\//],
  },
  {
    command: npmRun('test:package'),
    minutes: 1,
    covers: [/^bin\//, /^scripts\/package/, /^src\/server\/(earshot|version)\.ts$/, /^tests\/package\//],
  },
  { command: npmRun('test:visual'), minutes: 1, covers: [/^tests\/visual\//] },
];
