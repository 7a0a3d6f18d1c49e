import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/**
 * Answers with bytes whose number is not known before. Where they break off, so does the connection, by a
 * reset: behind a proxy that speaks HTTP/1.0 an end in order would look like the end of the file. Who leaves
 * ends the stream.
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
