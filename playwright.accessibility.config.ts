import { defineConfig } from '@playwright/test';

/** Accessibility tests. Each checks many states of one page, so it may take minutes. */
export default defineConfig({
  testDir: 'tests/accessibility',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results/accessibility',
  timeout: 420_000,
  expect: { timeout: 15_000 },
  // Names the step that hangs; without it, only the timeout of the whole test ends a press on a missing button.
  use: { actionTimeout: 60_000 },
  workers: 2,
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  // In CI a retry separates a flaky test, which is reported by name, from a broken one.
  retries: process.env.CI ? 2 : 0,
  reporter: [['line'], ['json', { outputFile: '.cache/accessibility.json' }]],
});
