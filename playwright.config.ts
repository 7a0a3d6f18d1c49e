import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results',
  timeout: 120_000,
  expect: { timeout: 15_000 },
  workers: 2,
  fullyParallel: false,
  forbidOnly: Boolean(process.env.CI),
  // In CI a retry separates a flaky test, which is reported by name, from a broken one.
  retries: process.env.CI ? 2 : 0,
  reporter: [['line'], ['json', { outputFile: '.cache/e2e.json' }]],
});
