import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { s3StoreAt } from '#tests/support/s3-store-at.ts';
import type { S3ObjectStore } from './s3-object-store.ts';

/** A store that answers each request with the next status, or breaks the connection off at 0. */
function storeAnswering(...statuses: number[]): Promise<S3ObjectStore> {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      const status = statuses.shift() ?? 200;
      if (status === 0) response.destroy();
      else response.writeHead(status).end();
    });
  });
  return s3StoreAt(server);
}

test('each try of a request is counted by its operation and outcome', async () => {
  const store = await storeAnswering(503, 0, 200, 204, 403);
  await store.put('recordings/x', Buffer.from('x'));
  await store.delete('recordings/x');
  await expect(store.put('recordings/y', Buffer.from('y'))).rejects.toThrow('the object store');
  expect(store.requests()).toEqual([
    { operation: 'PutObject', outcome: '5xx', count: 1 },
    { operation: 'PutObject', outcome: 'lost', count: 1 },
    { operation: 'PutObject', outcome: 'ok', count: 1 },
    { operation: 'DeleteObject', outcome: 'ok', count: 1 },
    { operation: 'PutObject', outcome: '4xx', count: 1 },
  ]);
});
