import { isIPv4 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { isLoopback } from './loopback.ts';

/** Headers in which a proxy names the client it forwards for. */
const isForwardingHeader = (name: string): boolean =>
  name.startsWith('x-forwarded-') || ['forwarded', 'via', 'x-real-ip'].includes(name);

const isLoopbackAddress = (address: string): boolean => {
  const plain = address.replace(/^::ffff:/i, '');
  return plain === '::1' || (isIPv4(plain) && plain.startsWith('127.'));
};

/**
 * Returns whether a request comes directly from a program on this machine: the connection is from loopback, no
 * forwarding header is set, and the Host is a loopback name. A page that rebound its own name to 127.0.0.1 sends
 * that name as the Host.
 */
export function isBareLoopback(request: FastifyRequest): boolean {
  if (!isLoopbackAddress(request.socket.remoteAddress ?? '')) return false;
  if (Object.keys(request.headers).some(isForwardingHeader)) return false;
  const url = URL.parse(`http://${request.headers.host ?? ''}`);
  return url !== null && isLoopback(url);
}
