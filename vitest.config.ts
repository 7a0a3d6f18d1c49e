import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { lingui, linguiTransformerBabelPreset } from '@lingui/vite-plugin';
import babel from '@rolldown/plugin-babel';
import { defineConfig } from 'vitest/config';
import { catalogueParts } from './scripts/catalogue/catalogue-parts.ts';
import { currentTier, databasesOf, isolatedFiles, isSlow } from './tests/tiers.ts';

const patterns = [
  'src/**/*.test.{ts,tsx}',
  'tests/unit/**/*.test.ts',
  'tests/identity-providers/**/*.test.ts',
  'tests/explorer/**/*.test.ts',
  'scripts/**/*.test.ts',
];

/** Whether a file of the tier `rest` has tests that `core` does not run. */
const hasRest = (file: string): boolean =>
  isSlow(file) ||
  (databasesOf(file, 'rest').postgres && readFileSync(file, 'utf8').includes('eachDatabase('));

/** The files of the tier. */
function filesOfTier(): string[] {
  const tier = currentTier();
  const files = globSync(patterns, { cwd: import.meta.dirname });
  if (tier === 'all') return files;
  return files.filter((file) => (tier === 'core' ? !isSlow(file) : hasRest(file)));
}

const files = filesOfTier();
const isolated = files.filter((file) => file in isolatedFiles);

export default defineConfig({
  plugins: [babel({ presets: [linguiTransformerBabelPreset()] }), lingui(), catalogueParts()],
  test: {
    environment: 'node',
    setupFiles: ['tests/support/around-each-file.ts'],
    // By default, a machine with two cores would use only one.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Ends tests that hang. The server's child processes run with low priority, so beside other work a conversion may
    // take a hundred times as long as alone.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Also only for what never comes: on a busy machine, what a test waits for may take seconds.
    expect: { poll: { timeout: 30_000 } },
    coverage: {
      provider: 'v8',
      include: ['src/**/*.{ts,tsx}'],
      exclude: ['**/*.{test,suite}.{ts,tsx}'],
      reporter: ['text-summary', 'json-summary'],
      reportOnFailure: true,
      reportsDirectory: '.cache/coverage',
    },
    unstubGlobals: true,
    restoreMocks: true,
    projects: [
      {
        extends: true,
        test: { name: 'shared', isolate: false, include: files.filter((file) => !(file in isolatedFiles)) },
      },
      ...(isolated.length === 0 ? [] : [{ extends: true, test: { name: 'isolated', include: isolated } }]),
    ],
  },
});
