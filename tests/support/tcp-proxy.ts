import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A connection of a client, and the one to the server for it. */
interface Pair {
  near: Socket;
  far: Socket;
}

/** Forwards connections to a database, whose server can be changed, as an address that follows a failover. */
export class TcpProxy {
  readonly port: number;
  readonly #server: Server;
  readonly #pairs = new Set<Pair>();
  readonly #silenced: Socket[] = [];
  #target: URL | null;

  private constructor(server: Server, target: URL) {
    const address = server.address();
    this.port = typeof address === 'object' && address !== null ? address.port : 0;
    this.#server = server;
    this.#target = target;
    server.on('connection', (near) => {
      this.#forward(near);
    });
  }

  /** @param databaseUrl `postgres://…`, to whose server connections are forwarded */
  static async open(databaseUrl: string): Promise<TcpProxy> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new TcpProxy(server, new URL(databaseUrl));
  }

  /** Returns the URL of the same database through this proxy. */
  urlOf(databaseUrl: string): string {
    const url = new URL(databaseUrl);
    url.hostname = '127.0.0.1';
    url.port = String(this.port);
    return url.href;
  }

  /** Ends all connections, and forwards new ones to the server of another database. */
  switchTo(databaseUrl: string): void {
    this.#target = new URL(databaseUrl);
    this.#endConnections();
  }

  /** Ends all connections, and accepts no more. Those that are silent stay so. */
  cut(): void {
    this.#target = null;
    this.#endConnections();
  }

  /**
   * Leaves the connections that exist open and silent, as after the failure of a machine. The server ends its side of
   * them, as it would. New ones work.
   */
  silence(): void {
    for (const pair of this.#pairs) {
      const { near, far } = pair;
      this.#pairs.delete(pair);
      this.#silenced.push(near);
      near.unpipe(far);
      far.unpipe(near);
      far.destroy();
    }
  }

  async close(): Promise<void> {
    this.cut();
    for (const socket of this.#silenced) socket.destroy();
    const closed = once(this.#server, 'close');
    this.#server.close();
    await closed;
  }

  #forward(near: Socket): void {
    near.on('error', () => undefined);
    if (this.#target === null) {
      near.destroy();
      return;
    }
    const { hostname, port } = this.#target;
    const far = connect(Number(port === '' ? 5432 : port), hostname);
    const pair = { near, far };
    this.#pairs.add(pair);
    far.on('error', () => undefined);
    for (const socket of [near, far])
      socket.on('close', () => {
        if (this.#pairs.delete(pair)) end(pair);
      });
    near.pipe(far);
    far.pipe(near);
  }

  #endConnections(): void {
    for (const pair of this.#pairs) end(pair);
    this.#pairs.clear();
  }
}

function end({ near, far }: Pair): void {
  near.destroy();
  far.destroy();
}
