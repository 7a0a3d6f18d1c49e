import { isIPv4 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { isLoopback } from './loopback.ts';

/** Headers by which a proxy speaks for another client. */
const isForwardingHeader = (name: string): boolean =>
  name.startsWith('x-forwarded-') || ['forwarded', 'via', 'x-real-ip'].includes(name);

const isLoopbackAddress = (address: string): boolean => {
  const plain = address.replace(/^::ffff:/i, '');
  return plain === '::1' || (isIPv4(plain) && plain.startsWith('127.'));
};

/**
 * Whether a request comes from a program on this machine itself: its connection is from loopback, no proxy
 * says that it passes it on, and it asks for a loopback name. A page that rebound its own name to 127.0.0.1
 * sends that name.
 */
export function isBareLoopback(request: FastifyRequest): boolean {
  if (!isLoopbackAddress(request.socket.remoteAddress ?? '')) return false;
  if (Object.keys(request.headers).some(isForwardingHeader)) return false;
  const url = URL.parse(`http://${request.headers.host ?? ''}`);
  return url !== null && isLoopback(url);
}
