import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { requested } from './negotiate-page.ts';

const compress = promisify(brotliCompress);
const quickly = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

/**
 * Sends a text, compressed with Brotli if the client accepts it, at a fast setting because the result is not cached.
 * Its length must reveal nothing: the text has no secret beside something that the client chose (BREACH).
 */
export async function sendCompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  text: string,
): Promise<FastifyReply> {
  if (!requested(request.headers['accept-encoding'] ?? '').includes('br')) return reply.send(text);
  return reply.header('Content-Encoding', 'br').send(await compress(text, quickly));
}
