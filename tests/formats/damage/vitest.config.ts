import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { include: ['tests/formats/damage/*.damage.ts'], environment: 'node', hookTimeout: 60_000 },
});
