import { runVitestSuite } from './vitest-suite.ts';

// `npm run test:image`: builds the image of deploy/Dockerfile, without a registry, and records through it. It is
// skipped where buildah or mmdebstrap is missing (docs/self-hosting/docker-compose.md).
await runVitestSuite({
  name: 'image',
  args: ['--config', 'tests/image/vitest.config.ts', ...process.argv.slice(2)],
});
