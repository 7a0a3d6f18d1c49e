// Which unit and integration tests `npm test` runs (tier `core`), and which only `npm run test:all` and CI (`rest`).
// Files named `*.slow.test.ts` are in `rest`. So are the tests of most files on PostgreSQL: they run on SQLite in
// `core`. Without a tier, everything runs.

export type Tier = 'core' | 'rest' | 'all';

/** The environment variable that names the tier. */
export const tierVariable = 'EARSHOT_TEST_TIER';

/** @throws Error if the variable names no tier */
export function currentTier(): Tier {
  const tier = process.env[tierVariable] ?? 'all';
  if (tier !== 'core' && tier !== 'rest' && tier !== 'all')
    throw new Error(`${tierVariable} is "${tier}", but must be core, rest or all`);
  return tier;
}

export const isSlow = (file: string): boolean => file.includes('.slow.test.');

/**
 * Files whose tests run on PostgreSQL in `core` too: suites of ports, and what has SQL of its own or depends on how
 * PostgreSQL locks.
 */
const postgresInCore: readonly RegExp[] = [
  /^src\/server\/storage\/(blobs|search|tables)\//,
  /^src\/server\/storage\/database\/(database|postgres)/,
  /^src\/server\/storage\/rows\/(ended-links|recording-changes)/,
  /^src\/server\/jobs\//,
  /^src\/server\/features\/library\//,
  /^src\/server\/features\/uploads\/uploads\.test\.ts$/,
  /^src\/server\/features\/access\//,
  /^src\/server\/features\/annotations\/positions\.test\.ts$/,
  /^src\/server\/features\/accounts\/throttle\//,
  /^src\/server\/features\/accounts\/sessions\//,
  /^src\/server\/features\/usage\//,
];

/** On which databases the tests of a file run. `file` is relative to the repository. */
export function databasesOf(file: string, tier = currentTier()): { sqlite: boolean; postgres: boolean } {
  const isCore = !isSlow(file);
  const postgresIsCore = isCore && postgresInCore.some((pattern) => pattern.test(file));
  return {
    sqlite: tier === 'all' || (tier === 'core') === isCore,
    postgres: tier === 'all' || (tier === 'core') === postgresIsCore,
  };
}

/**
 * Files with a process of their own, each with the reason. All others share two processes: the packages that they import
 * are loaded once, and our own modules again for each file (tests/support/around-each-file.ts).
 */
export const isolatedFiles: Readonly<Record<string, string>> = {
  'src/server/start/failed-start.test.ts': 'it looks for timers and sockets of its whole process',
  'src/web/i18n/aria-strings.test.tsx': 'React Aria keeps its strings in a module of its package',
};
