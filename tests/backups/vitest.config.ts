import { defineConfig } from 'vitest/config';

/** Backups of real servers under load. Files run one at a time, because each uses the whole machine. */
export default defineConfig({
  test: {
    include: ['tests/backups/**/*.test.ts'],
    environment: 'node',
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 60_000,
  },
});
