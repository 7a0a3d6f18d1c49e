import { defineConfig } from 'vitest/config';

/** Three real nodes. Files run one at a time, because each uses the whole machine. */
export default defineConfig({
  test: {
    include: ['tests/nodes/**/*.test.ts'],
    environment: 'node',
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 120_000,
  },
});
