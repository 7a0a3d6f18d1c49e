import { defineConfig } from 'vitest/config';

/** The engine with real weights. Files run one at a time, because each uses the whole machine. */
export default defineConfig({
  test: {
    include: ['tests/words/**/*.test.ts'],
    environment: 'node',
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 1_200_000,
  },
});
