import type { Socket } from 'node:net';
import { minute } from '#base/duration.ts';
import type { HttpApp } from '#server/http/app.ts';
import { clientNetwork } from './client-network.ts';
import { isInternal } from './internal-network.ts';
import { isLoopback } from './loopback.ts';

/** Database, log, threads, mail, providers, and connections on the way to be refused. */
const ownDescriptors = 128;
/** A thousand takes at once have two growing files each. */
const mostIdleFiles = 2048;
/** Bounds the memory of connections where files have no limit that matters. */
const mostConnections = 20_000;
/** Below this an operator should know. */
const lowFileLimit = 4096;

export interface DescriptorPlan {
  fileLimit: number;
  /** How many connections may be open at once. */
  connections: number;
  /** How many of them one address may hold. */
  connectionsPerAddress: number;
  /** How many files may stay open while nobody uses them. */
  idleFiles: number;
  /** Whether the limit is so low that busy times will feel it. */
  isLow: boolean;
}

/**
 * Shares the process's file descriptors out. Half of them are for files: connections that come in must never
 * keep a running take from opening its own.
 * @param fileLimit how many descriptors the process may have; Infinity where there is no limit
 * @param perAddress how many connections one address may hold; null: a share of all
 */
export function planDescriptors(fileLimit: number, perAddress: number | null = null): DescriptorPlan {
  const shared = Math.max(32, fileLimit - ownDescriptors);
  const connections = Math.min(mostConnections, Math.floor(shared / 2));
  return {
    fileLimit,
    connections,
    connectionsPerAddress: perAddress ?? defaultPerAddress(connections),
    idleFiles: Math.min(mostIdleFiles, Math.floor(shared / 4)),
    isLow: fileLimit < lowFileLimit,
  };
}

/**
 * The limit of this process, which Node raises to the hard limit at its start; Infinity where there is none,
 * or none can be read.
 */
export function readFileLimit(): number {
  // The report would look every network interface up by name.
  Reflect.set(process.report, 'excludeNetwork', true);
  const report: unknown = process.report.getReport();
  const soft = /"open_files":\{"soft":(?<soft>\d+)/.exec(JSON.stringify(report))?.groups?.['soft'];
  return soft === undefined ? Infinity : Number(soft);
}

/**
 * A quarter of all connections, as many as 256 where that is fewer, and never more than half: whatever one
 * address holds, others get in.
 */
export const defaultPerAddress = (connections: number): number =>
  Math.max(Math.floor(connections / 4), Math.min(256, Math.floor(connections / 2)));

/** Calls `warn` once a minute at most. */
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
 * Refuses connections beyond a number, so that descriptors are left for files. Idle ones stay: between two
 * appends a recorder's is idle, too.
 */
export function limitConnections(app: HttpApp, mostConnections: number): void {
  app.server.maxConnections = mostConnections;
  app.server.on(
    'drop',
    oncePerMinute(() => {
      app.log.warn(
        { mostConnections },
        'connections are refused: as many as the limit of open files allows are open',
      );
    }),
  );
}

/**
 * Whether the other end of a connection is certainly one client. Behind a proxy that is trusted every
 * connection has the proxy's address; and this server speaks no TLS, so what connects from inside to a server
 * with a public address is a proxy that nobody has named, or a container's gateway.
 */
export function isOneClient(
  peer: string,
  { publicUrl, trustedProxyHops }: { publicUrl: string; trustedProxyHops: number },
): boolean {
  if (trustedProxyHops > 0) return false;
  return isLoopback(new URL(publicUrl)) || !isInternal(peer);
}

/**
 * Refuses connections of one client beyond a number: an IPv4 address, or the /64 that an IPv6 connection is
 * given. Its open ones stay.
 */
export function limitConnectionsOfAddresses(
  app: HttpApp,
  { mostPerAddress, isCounted }: { mostPerAddress: number; isCounted: (peer: string) => boolean },
): void {
  // Has no more entries than there are connections.
  const open = new Map<string, number>();
  const warn = oncePerMinute(() => {
    app.log.warn(
      { mostPerAddress },
      'connections are refused: as many as one address may hold are open (CONNECTIONS_PER_ADDRESS)',
    );
  });
  app.server.on('connection', (socket: Socket) => {
    const peer = socket.remoteAddress ?? '';
    if (!isCounted(peer)) return;
    const network = clientNetwork(peer);
    const count = open.get(network) ?? 0;
    if (count >= mostPerAddress) {
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
