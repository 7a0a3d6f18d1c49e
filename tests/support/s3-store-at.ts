import { once } from 'node:events';
import type { Server } from 'node:net';
import { onTestFinished } from 'vitest';
import { S3ObjectStore } from '#server/storage/blobs/objects/s3-object-store.ts';

/** Lets a server listen on this machine, and opens the object store behind it. Both are closed after the test. */
export async function s3StoreAt(server: Server): Promise<S3ObjectStore> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const store = new S3ObjectStore({
    bucket: 'earshot',
    prefix: '',
    endpoint: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    region: 'us-east-1',
    isPathStyle: true,
    credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
  });
  onTestFinished(() => {
    store.close();
    server.close();
  });
  return store;
}
