import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/**
 * Sends a stream of unknown length. If the stream fails, the connection is reset: behind a proxy that speaks
 * HTTP/1.0, an orderly end would look like the end of the file. A client that disconnects ends the stream.
 */
export function sendStream(
  reply: FastifyReply,
  { stream, headers }: { stream: Readable; headers: Record<string, string> },
): 'sent' {
  const { raw } = reply;
  stream.once('error', () => {
    if (raw.socket instanceof Socket) raw.socket.resetAndDestroy();
  });
  raw.once('close', () => stream.destroy());
  if (raw.destroyed) stream.destroy();
  else void reply.headers(headers).send(stream);
  return 'sent';
}
