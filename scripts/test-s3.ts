import { installS3Server } from './s3-for-tests.ts';
import { nothing, printClosing } from './summary.ts';
import { runVitestSuite } from './vitest-suite.ts';

// `npm run test:s3`: the tests that need a real S3 server, which is built first.
const folders = [
  'src/server/storage/blobs/objects',
  'src/server/storage/blobs/tiered',
  'src/server/start/object-store',
  'src/server/storage/backups',
  'src/server/commands/backup',
  'src/server/commands/doctor',
  'src/server/commands/move',
];
if (installS3Server() === null) {
  console.log(
    'Skipped: the S3 server of these tests is built with Go, which is not installed. (https://go.dev/dl; Debian 12 has an older one)',
  );
  process.exitCode = printClosing({ ...nothing, skipped: 1 });
} else await runVitestSuite({ name: 's3', args: folders });
