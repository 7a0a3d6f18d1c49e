import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { endUnread } from './end-unread.ts';

const unreadMs = 1000;
const pieceBytes = 64 * 1024;
const pieces = 512;

/** A response of 32 MiB, more than the connection's buffers hold. */
async function answering(handle: RequestListener): Promise<IncomingMessage> {
  const server = createServer(handle);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const outgoing = request({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });
  onTestFinished(() => {
    outgoing.destroy();
    server.close();
    server.closeAllConnections();
  });
  outgoing.end();
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  return incoming;
}

const sound = () =>
  Readable.from(
    Array.from({ length: pieces }, () => Buffer.alloc(pieceBytes)),
    { objectMode: false },
  );

test('ends a download that is not being read, and frees its resources', async () => {
  const freed = Promise.withResolvers<boolean>();
  const incoming = await answering((_request, response) => {
    endUnread(response, { unreadMs });
    response.once('close', () => {
      freed.resolve(response.writableFinished);
    });
    sound().pipe(response);
  });
  incoming.on('error', () => undefined);
  incoming.pause();
  expect(await freed.promise).toBe(false);
});

test('sends everything to a slow reader', async () => {
  const incoming = await answering((_request, response) => {
    endUnread(response, { unreadMs });
    sound().pipe(response);
  });
  let readBytes = 0;
  let pauses = 0;
  for await (const piece of incoming as AsyncIterable<Buffer>) {
    readBytes += piece.length;
    if (Math.floor(readBytes / (4 * 1024 * 1024)) <= pauses) continue;
    pauses += 1;
    await delay(unreadMs / 5);
  }
  expect([readBytes, pauses]).toEqual([pieces * pieceBytes, 8]);
});

test('does not end a response whose sender is slow', async () => {
  const incoming = await answering((_request, response) => {
    endUnread(response, { unreadMs });
    response.write('the beginning');
    setTimeout(() => {
      response.end(', and the end');
    }, unreadMs * 2);
  });
  let text = '';
  for await (const piece of incoming as AsyncIterable<Buffer>) text += piece.toString();
  expect(text).toBe('the beginning, and the end');
});

test.for([
  ['ends', true],
  ['does not end', false],
] as const)('%s a slow download if another one waits: %s', async ([, isAwaited]) => {
  let isClosed = false;
  const incoming = await answering((_request, response) => {
    endUnread(response, { unreadMs, isAwaited: () => isAwaited, minBytesPerSecond: 20 * 1024 * 1024 });
    response.once('close', () => {
      isClosed = !response.writableFinished;
    });
    sound().pipe(response);
  });
  let readBytes = 0;
  try {
    for await (const piece of incoming as AsyncIterable<Buffer>) {
      readBytes += piece.length;
      // At most 6.4 MB/s.
      await delay(10);
    }
  } catch {
    // It was ended.
  }
  expect([isClosed, readBytes === pieces * pieceBytes]).toEqual([isAwaited, !isAwaited]);
});
