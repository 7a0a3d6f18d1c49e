import { randomUUID } from 'node:crypto';
import { describe, onTestFinished } from 'vitest';
import { newFolder } from '#tests/support/start-server.ts';
import { hasS3, testBucket } from '#tests/support/test-bucket.ts';
import { behavesAsBackupTarget } from './backup-target.suite.ts';
import { openFolderBackupTarget } from './folder/folder-backup-target.ts';
import { S3BackupTarget } from './s3/s3-backup-target.ts';

describe('backups in a folder', () => {
  behavesAsBackupTarget(() => openFolderBackupTarget(newFolder(), { create: true }));
});

describe.skipIf(!hasS3)('backups on a real S3 server', () => {
  const bucket = testBucket();
  behavesAsBackupTarget(async () => {
    const target = new S3BackupTarget('the bucket', { ...bucket.settings(), prefix: `${randomUUID()}/` });
    onTestFinished(() => {
      target.close();
    });
    return target;
  });
});
