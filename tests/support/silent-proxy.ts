import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** Forwards connections to PostgreSQL. Those that exist when it is cut stay open and silent, as after a failover. */
export class SilentProxy {
  readonly #pairs: [Socket, Socket][] = [];
  readonly #silenced: Socket[] = [];
  readonly #server: Server;

  constructor(to: URL) {
    this.#server = createServer((near) => {
      const far = connect(Number(to.port === '' ? 5432 : to.port), to.hostname);
      for (const socket of [near, far]) socket.on('error', () => undefined);
      near.pipe(far);
      far.pipe(near);
      this.#pairs.push([near, far]);
    });
  }

  /** Returns the URL of the same database through this proxy. */
  async listen(databaseUrl: string): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    const url = new URL(databaseUrl);
    url.hostname = '127.0.0.1';
    url.port = String(typeof address === 'object' && address !== null ? address.port : 0);
    return url.href;
  }

  /** Silences the connections that exist. New ones work. The server closes its side of the old ones, as it would. */
  cut(): void {
    for (const [near, far] of this.#pairs.splice(0)) {
      near.unpipe(far);
      far.unpipe(near);
      far.destroy();
      this.#silenced.push(near);
    }
  }

  /** Rejects new connections, as a machine without a database does. */
  rejectAll(): void {
    this.#server.close();
  }

  close(): void {
    for (const socket of [...this.#pairs.flat(), ...this.#silenced]) socket.destroy();
    this.#server.close();
  }
}
