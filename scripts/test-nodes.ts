import { buildWeb } from './build-web.ts';
import { installS3Server } from './s3-for-tests.ts';
import { runVitestSuite } from './vitest-suite.ts';

// `npm run test:nodes`: three real nodes on PostgreSQL and a real S3 server, which are killed, stopped and restarted
// while takes are recorded (docs/testing.md). Without one of these programs its tests are skipped.
installS3Server();
await buildWeb();
await runVitestSuite({
  name: 'nodes',
  args: ['--config', 'tests/nodes/vitest.config.ts', ...process.argv.slice(2)],
});
