import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** Forwards TCP connections on loopback to a port that can be changed, as an address that follows a failover. */
export class TcpProxy {
  readonly port: number;
  readonly #server: Server;
  readonly #sockets: Set<Socket>;
  #target: { port: number | null };

  private constructor(server: Server, parts: { sockets: Set<Socket>; target: { port: number | null } }) {
    const address = server.address();
    this.port = typeof address === 'object' && address !== null ? address.port : 0;
    this.#server = server;
    this.#sockets = parts.sockets;
    this.#target = parts.target;
  }

  static async open(targetPort: number): Promise<TcpProxy> {
    const target: { port: number | null } = { port: targetPort };
    const sockets = new Set<Socket>();
    const server = createServer((near) => {
      if (target.port === null) {
        near.destroy();
        return;
      }
      const far = connect(target.port, '127.0.0.1');
      for (const [socket, other] of [
        [near, far],
        [far, near],
      ] as const) {
        sockets.add(socket);
        socket.on('error', () => undefined);
        socket.on('close', () => {
          sockets.delete(socket);
          other.destroy();
        });
        socket.pipe(other);
      }
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new TcpProxy(server, { sockets, target });
  }

  /** Ends all connections, and forwards new ones to another port. */
  switchTo(port: number): void {
    this.#target.port = port;
    this.#endConnections();
  }

  /** Ends all connections, and accepts no more. */
  cut(): void {
    this.#target.port = null;
    this.#endConnections();
  }

  async close(): Promise<void> {
    this.cut();
    const closed = once(this.#server, 'close');
    this.#server.close();
    await closed;
  }

  #endConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}
