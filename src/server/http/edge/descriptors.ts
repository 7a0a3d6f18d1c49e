import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { minute } from '#base/duration.ts';
import { clientNetwork } from '#server/http/client-network.ts';
import { isInternal } from './internal-network.ts';
import { isLoopback } from './loopback.ts';

/** Reserved for database, log, threads, mail, providers, and connections that are about to be rejected. */
const ownDescriptors = 128;
/** Bounds the memory of open files on systems with a very high file limit. Each take has two growing files. */
const maxIdleFiles = 65_536;
/** Bounds the memory of connections on systems with a very high file limit. */
const maxConnections = 20_000;
/** Below this limit the operator is warned. */
const lowFileLimit = 4096;

export interface DescriptorPlan {
  fileLimit: number;
  /** How many connections may be open at the same time. */
  connections: number;
  /** How many of them one address may hold. */
  connectionsPerAddress: number;
  /** How many idle files may stay open. */
  idleFiles: number;
  /** Whether the limit is low enough to cause rejections at busy times. */
  isLow: boolean;
}

/**
 * Divides the process's file descriptors between files and connections. Files get half, so that incoming
 * connections never prevent a running take from opening its files.
 * @param fileLimit the process's descriptor limit; Infinity if unlimited
 * @param perAddress how many connections one address may hold; null for a share of all
 */
export function planDescriptors(fileLimit: number, perAddress: number | null = null): DescriptorPlan {
  const shared = Math.max(32, fileLimit - ownDescriptors);
  const connections = Math.min(maxConnections, Math.floor(shared / 2));
  return {
    fileLimit,
    connections,
    connectionsPerAddress: perAddress ?? defaultPerAddress(connections),
    idleFiles: Math.min(maxIdleFiles, Math.floor(shared / 4)),
    isLow: fileLimit < lowFileLimit,
  };
}

/**
 * Reads the limit of this process, which Node raises to the hard limit at startup. Returns Infinity if there is no
 * limit or it cannot be read.
 */
export function readFileLimit(): number {
  // Otherwise the report would resolve the name of every network interface.
  Reflect.set(process.report, 'excludeNetwork', true);
  const report: unknown = process.report.getReport();
  const soft = /"open_files":\{"soft":(?<soft>\d+)/.exec(JSON.stringify(report))?.groups?.['soft'];
  return soft === undefined ? Infinity : Number(soft);
}

/**
 * A quarter of all connections, but at least 256 and never more than half, so that others can connect whatever one
 * address holds.
 */
export const defaultPerAddress = (connections: number): number =>
  Math.max(Math.floor(connections / 4), Math.min(256, Math.floor(connections / 2)));

/** Limits `warn` to one call a minute. */
function oncePerMinute(warn: () => void): () => void {
  let warnedAtMs = -Infinity;
  return () => {
    const nowMs = performance.now();
    if (nowMs - warnedAtMs < minute) return;
    warnedAtMs = nowMs;
    warn();
  };
}

/**
 * Rejects connections above a limit, so that descriptors remain for files. Idle connections stay open, because a
 * recorder's connection is idle between two appends.
 */
export function limitConnections(app: FastifyInstance, maxConnections: number): void {
  app.server.maxConnections = maxConnections;
  app.server.on(
    'drop',
    oncePerMinute(() => {
      app.log.warn({ maxConnections }, 'connections are refused: the limit on open files is reached');
    }),
  );
}

/**
 * Returns whether the peer of a connection is certainly a single client. Behind a trusted proxy every connection
 * has the proxy's address. This server does not speak TLS, so an internal peer of a server with a public URL is an
 * unconfigured proxy or a container's gateway.
 */
export function isOneClient(
  peer: string,
  { publicUrl, trustedProxyHops }: { publicUrl: string; trustedProxyHops: number },
): boolean {
  if (trustedProxyHops > 0) return false;
  return isLoopback(new URL(publicUrl)) || !isInternal(peer);
}

/**
 * Rejects connections of one client above a limit, where a client is an IPv4 address or an IPv6 /64. Its open
 * connections stay open.
 */
export function limitConnectionsOfAddresses(
  app: FastifyInstance,
  { maxPerAddress, isCounted }: { maxPerAddress: number; isCounted: (peer: string) => boolean },
): void {
  // Has at most one entry per open connection.
  const open = new Map<string, number>();
  const warn = oncePerMinute(() => {
    app.log.warn(
      { maxPerAddress },
      'connections are refused: one address is at its limit (CONNECTIONS_PER_ADDRESS)',
    );
  });
  app.server.on('connection', (socket: Socket) => {
    const peer = socket.remoteAddress ?? '';
    if (!isCounted(peer)) return;
    const network = clientNetwork(peer);
    const count = open.get(network) ?? 0;
    if (count >= maxPerAddress) {
      socket.destroy();
      warn();
      return;
    }
    open.set(network, count + 1);
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left === 0) open.delete(network);
      else open.set(network, left);
    });
  });
}
