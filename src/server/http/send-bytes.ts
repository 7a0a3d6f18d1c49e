import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseByteRange, type Range } from './byte-range.ts';
import { ProblemError } from './problem.ts';

/** Up to this size, one positional read costs half as much as a stream (measured). */
const maxReadBytes = 1024 * 1024;

/** Bytes of known length with random access. */
export interface ByteSource {
  sizeBytes: number;
  /** A strong validator, including its quotes: equal only if every byte is equal. */
  etag: string;
  mediaType: string;
  read(range: Range): Promise<Uint8Array>;
  stream(range: Range): Readable;
}

const listsTag = (header: string, etag: string): boolean =>
  header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag || tag.trim() === '*');

/**
 * RFC 9110 §13.1.5: a range is valid only while the representation is still the one that the client started with.
 */
function rangeWanted(request: FastifyRequest, source: ByteSource): Range | 'whole' | 'unsatisfiable' {
  const condition = request.headers['if-range'];
  if (condition !== undefined && condition !== source.etag) return 'whole';
  return parseByteRange(request.headers.range, source.sizeBytes);
}

async function sendRange(reply: FastifyReply, source: ByteSource, range: Range): Promise<void> {
  const lengthBytes = range.endByteExclusive - range.startByte;
  if (lengthBytes <= maxReadBytes) {
    void reply.send(Buffer.from(await source.read(range)));
    return;
  }
  if (reply.request.method === 'HEAD') {
    // Fastify replaces the length of every other payload of a HEAD route by its own, 0 for none.
    void reply.header('Content-Length', String(lengthBytes)).send(Readable.from([]));
    return;
  }
  const stream = source.stream(range);
  // The client may have disconnected while the file was being opened; piping into a closed response would throw
  // uncaught.
  reply.raw.once('close', () => stream.destroy());
  if (reply.raw.destroyed) stream.destroy();
  else void reply.header('Content-Length', String(lengthBytes)).send(stream);
}

/**
 * Sends a source, or one byte range of it (RFC 9110 §13, §14): 200, 206 or 304. The bytes are private: a shared
 * cache must not store them, and a browser must revalidate them with its cookie before reuse.
 * @throws range-not-satisfiable (416)
 */
export async function sendBytes(
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  source: ByteSource,
): Promise<'sent'> {
  reply.headers({
    'Accept-Ranges': 'bytes',
    ETag: source.etag,
    'Cache-Control': 'private, no-cache',
    Vary: 'Cookie',
  });
  const known = request.headers['if-none-match'];
  if (known !== undefined && listsTag(known, source.etag)) {
    void reply.code(304).send();
    return 'sent';
  }
  const range = rangeWanted(request, source);
  if (range === 'unsatisfiable')
    throw new ProblemError('range-not-satisfiable', {
      headers: { 'Content-Range': `bytes */${source.sizeBytes}` },
    });
  reply.type(source.mediaType);
  if (range !== 'whole')
    reply
      .code(206)
      .header('Content-Range', `bytes ${range.startByte}-${range.endByteExclusive - 1}/${source.sizeBytes}`);
  await sendRange(
    reply,
    source,
    range === 'whole' ? { startByte: 0, endByteExclusive: source.sizeBytes } : range,
  );
  return 'sent';
}
