import { Readable } from 'node:stream';
import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { sendBytes } from './send-bytes.ts';

const MiB = 1024 * 1024;

test.for([1000, 3 * MiB])(
  'HEAD states the length of %d bytes, and of a range, as GET does',
  async (sizeBytes) => {
    const bytes = Buffer.alloc(sizeBytes, 7);
    const app = fastify();
    app.get('/', async (request, reply) => {
      await sendBytes(
        { request, reply },
        {
          sizeBytes,
          etag: '"a"',
          mediaType: 'audio/ogg',
          read: async ({ startByte, endByteExclusive }) => bytes.subarray(startByte, endByteExclusive),
          stream: ({ startByte, endByteExclusive }) =>
            Readable.from([bytes.subarray(startByte, endByteExclusive)], { objectMode: false }),
        },
      );
      return reply;
    });
    for (const headers of [{}, { range: 'bytes=100-' }]) {
      const [head, get] = [
        await app.inject({ method: 'HEAD', url: '/', headers }),
        await app.inject({ method: 'GET', url: '/', headers }),
      ];
      expect([head.statusCode, head.headers['content-length'], head.rawPayload.length]).toEqual([
        get.statusCode,
        String(get.rawPayload.length),
        0,
      ]);
    }
    await app.close();
  },
);
