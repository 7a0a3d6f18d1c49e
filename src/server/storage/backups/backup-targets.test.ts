import { randomUUID } from 'node:crypto';
import { CreateMultipartUploadCommand, ListMultipartUploadsCommand } from '@aws-sdk/client-s3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { mapInBatches } from '#server/storage/blobs/map-in-batches.ts';
import { S3ObjectStore } from '#server/storage/blobs/objects/s3-object-store.ts';
import { MemoryBackupTarget } from '#tests/support/memory-backup-target.ts';
import { bucket as bucketName, onBucket } from '#tests/support/s3-bucket.ts';
import { newFolder } from '#tests/support/start-server.ts';
import { hasS3, testBucket } from '#tests/support/test-bucket.ts';
import { behavesAsBackupTarget } from './backup-target.suite.ts';
import { openFolderBackupTarget } from './folder/folder-backup-target.ts';
import { S3BackupTarget } from './s3/s3-backup-target.ts';

describe('backups in a folder', () => {
  behavesAsBackupTarget(() => openFolderBackupTarget(newFolder(), { create: true }));
});

describe('backups in memory, for tests', () => {
  behavesAsBackupTarget(async () => new MemoryBackupTarget());
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

  /** More than a store lists in one answer. */
  const many = Array.from({ length: 1005 }, (_, index) => index);
  const startUploads = (keyOf: (index: number) => string): Promise<void> =>
    onBucket(bucket.server(), async (client) => {
      await mapInBatches(many, (index) =>
        client.send(new CreateMultipartUploadCommand({ Bucket: bucketName, Key: keyOf(index) })),
      );
    });
  /** Returns how many unfinished uploads the store lists in one answer, and whether there are more. */
  const unfinished = (prefix: string): Promise<[number, boolean]> =>
    onBucket(bucket.server(), async (client) => {
      const { Uploads = [], IsTruncated = false } = await client.send(
        new ListMultipartUploadsCommand({ Bucket: bucketName, Prefix: prefix }),
      );
      return [Uploads.length, IsTruncated];
    });

  test('deletes the parts of all unfinished objects, however many a backup left', async () => {
    const prefix = `${randomUUID()}/`;
    await startUploads((index) => `${prefix}unfinished/${String(index).padStart(4, '0')}`);
    expect(await unfinished(prefix)).toEqual([1000, true]);
    const target = new S3BackupTarget('the bucket', { ...bucket.settings(), prefix });
    onTestFinished(() => {
      target.close();
    });
    await target.clean();
    expect(await unfinished(prefix)).toEqual([0, false]);
  });

  test('deletes the parts of all attempts to store one object', async () => {
    const prefix = `${randomUUID()}/`;
    await startUploads(() => `${prefix}one`);
    const objects = new S3ObjectStore({ ...bucket.settings(), prefix });
    onTestFinished(() => {
      objects.close();
    });
    await objects.deleteParts('one');
    expect(await unfinished(prefix)).toEqual([0, false]);
  });

  test('lists and deletes more objects than one answer of the store has', async () => {
    const prefix = `${randomUUID()}/`;
    const target = new S3BackupTarget('the bucket', { ...bucket.settings(), prefix });
    onTestFinished(() => {
      target.close();
    });
    await mapInBatches(many, (index) =>
      target.write(
        `snapshots/${index}/manifest.json`,
        (async function* () {
          yield Buffer.from('{}');
        })(),
      ),
    );
    expect(new Set(await target.list('snapshots/')).size).toBe(1005);
    await target.remove('snapshots/');
    expect(await target.list('snapshots/')).toEqual([]);
  });
});
