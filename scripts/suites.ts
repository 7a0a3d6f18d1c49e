import { tierVariable } from '#tests/tiers.ts';
import { buildWeb } from './build-web.ts';
import { runBrowserTests } from './browser-suite.ts';
import { runExplorerSuite } from './explorer-suite.ts';
import { runFaultSuite } from './fault-suite.ts';
import { installS3Server } from './s3-for-tests.ts';
import { nothing, type Tally } from './summary.ts';
import { runVitest, type VitestSuite } from './vitest-suite.ts';

type Suite = (args: readonly string[]) => Promise<Tally>;

const vitest =
  (name: string, { args = [], env = {} }: Omit<VitestSuite, 'name'> = {}): Suite =>
  async (more) =>
    (await runVitest({ name, args: [...args, ...more], env })).tally;

/** A suite with a configuration of its own, in `tests/<name>`. */
const vitestIn = (name: string): Suite =>
  vitest(name, { args: ['--config', `tests/${name}/vitest.config.ts`] });

const browser =
  (config: string, report: string): Suite =>
  (args) =>
    runBrowserTests({ config, report: `.cache/${report}.json`, args });

/** The folders whose tests need a real S3 server. */
const s3Folders = [
  'src/server/storage/blobs/objects',
  'src/server/storage/blobs/tiered',
  'src/server/start/object-store',
  'src/server/storage/backups',
  'src/server/commands/backup',
  'src/server/commands/doctor',
  'src/server/commands/move',
];

const s3: Suite = (args) => {
  if (installS3Server() !== null) return vitest('s3', { args: s3Folders })(args);
  console.log(
    'Skipped: the S3 server of these tests is built with Go, which is not installed. (https://go.dev/dl; Debian 12 has an older one)',
  );
  return Promise.resolve({ ...nothing, skipped: 1 });
};

const nodes: Suite = async (args) => {
  installS3Server();
  await buildWeb();
  return vitestIn('nodes')(args);
};

const packages: Suite = async (args) => {
  await buildWeb();
  return vitestIn('package')(args);
};

/** The suites of `npm run test:<name>`. docs/testing.md says what each tests, and how long it takes. */
export const suites = {
  unit: vitest('unit'),
  rest: vitest('rest', { env: { [tierVariable]: 'rest' } }),
  coverage: vitest('coverage', { args: ['--coverage'] }),
  damage: vitest('damage', { args: ['--config', 'tests/formats/damage/vitest.config.ts'] }),
  abuse: vitestIn('abuse'),
  backups: vitestIn('backups'),
  image: vitestIn('image'),
  package: packages,
  upgrade: vitestIn('upgrade'),
  engines: vitestIn('engines'),
  words: vitestIn('words'),
  nodes,
  s3,
  browser: browser('playwright.config.ts', 'e2e'),
  accessibility: browser('playwright.accessibility.config.ts', 'accessibility'),
  languages: browser('tests/languages/playwright.config.ts', 'languages'),
  visual: browser('tests/visual/playwright.config.ts', 'visual'),
  exact: browser('tests/formats/exact/playwright.config.ts', 'exact'),
  faults: runFaultSuite,
  explorer: runExplorerSuite,
} satisfies Record<string, Suite>;

export type SuiteName = keyof typeof suites;

export const isSuiteName = (name: string): name is SuiteName => Object.hasOwn(suites, name);
