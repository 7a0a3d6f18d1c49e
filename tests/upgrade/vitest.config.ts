import { defineConfig } from 'vitest/config';

/** Updates from earlier versions. Files run one at a time, because each uses several servers. */
export default defineConfig({
  test: {
    include: ['tests/upgrade/**/*.test.ts'],
    environment: 'node',
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 60_000,
  },
});
