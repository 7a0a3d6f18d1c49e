import { availableParallelism } from 'node:os';
import { lingui, linguiTransformerBabelPreset } from '@lingui/vite-plugin';
import babel from '@rolldown/plugin-babel';
import { defineConfig } from 'vitest/config';
import { catalogueParts } from './scripts/catalogue/catalogue-parts.ts';

export default defineConfig({
  plugins: [babel({ presets: [linguiTransformerBabelPreset()] }), lingui(), catalogueParts()],
  test: {
    include: [
      'src/**/*.test.{ts,tsx}',
      'tests/unit/**/*.test.ts',
      'tests/identity-providers/**/*.test.ts',
      'scripts/**/*.test.ts',
    ],
    environment: 'node',
    // By default, a machine with two cores would use only one.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Ends tests that hang. Beside other work, a test may take ten times as long as alone.
    testTimeout: 60_000,
    hookTimeout: 60_000,
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
  },
});
