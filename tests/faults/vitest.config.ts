import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { include: ['tests/faults/**/*.test.ts'], environment: 'node', testTimeout: 30_000 },
});
