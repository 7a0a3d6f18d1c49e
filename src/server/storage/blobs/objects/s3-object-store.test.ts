import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { CreateMultipartUploadCommand, UploadPartCommand } from '@aws-sdk/client-s3';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import { MemoryObjectStore } from '#tests/support/memory-object-store.ts';
import { s3StoreAt } from '#tests/support/s3-store-at.ts';
import { hasS3, testBucket } from '#tests/support/test-bucket.ts';
import { isUnavailableError } from '#base/errors/unavailable.ts';
import { behavesAsObjectStore } from './object-store.suite.ts';
import { createS3Client } from './s3-client.ts';
import { S3ObjectStore } from './s3-object-store.ts';

describe('objects in memory', () => {
  behavesAsObjectStore(() => new MemoryObjectStore());
});

test.each<[string, (store: S3ObjectStore) => Promise<void>]>([
  ['put', (store) => store.put('recordings/x', Buffer.from('x'))],
  ['deleteParts', (store) => store.deleteParts('recordings/x')],
])('ends a running %s when it is closed, though the store does not answer', async (_name, call) => {
  const silent = createServer();
  const store = await s3StoreAt(silent);
  const connected = once(silent, 'connection');
  const running = call(store);
  await connected;
  store.close();
  await expect(running).rejects.toThrow('the object store cannot be used now');
});

describe.skipIf(!hasS3)('objects on a real S3 server', () => {
  const bucket = testBucket();
  const open = (): S3ObjectStore => {
    const store = new S3ObjectStore(bucket.settings());
    onTestFinished(() => {
      store.close();
    });
    return store;
  };

  behavesAsObjectStore(open);

  it('deletes the parts that a process left which died while it stored an object', async () => {
    const client = createS3Client(bucket.settings());
    onTestFinished(() => {
      client.destroy();
    });
    const address = { Bucket: 'earshot', Key: 'test/left/audio-0000.x' };
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(address));
    const part = { ...address, UploadId, PartNumber: 1, Body: randomBytes(1000) };
    await client.send(new UploadPartCommand(part));
    await open().deleteParts('left/audio-0000.x');
    await expect(client.send(new UploadPartCommand(part))).rejects.toThrow('upload');
  });

  it('reports an outage as one, and works again after it', async () => {
    const store = open();
    await store.put('outage/x', Buffer.from('still here'));
    await bucket.server().stop();
    const range = { startByte: 0, endByteExclusive: 5 };
    const error: unknown = await store.get('outage/x', range).catch((reason: unknown) => reason);
    expect(isUnavailableError(error)).toBe(true);
    await bucket.server().start();
    expect(Buffer.from(await store.get('outage/x', range)).toString()).toBe('still');
  });
});
