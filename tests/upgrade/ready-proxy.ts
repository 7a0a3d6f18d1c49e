import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { freePort } from '#scripts/free-port.ts';

const checkEveryMs = 100;

/** A proxy without stickiness: each request goes to the next server whose `/readyz` is 200, and is sent once. */
export class ReadyProxy {
  readonly url: string;
  readonly #server = createServer((incoming, answer) => {
    this.#pass(incoming, answer);
  });
  readonly #ready: string[] = [];
  readonly #checks: NodeJS.Timeout[] = [];
  readonly #agent = new Agent({ keepAlive: true });
  #next = 0;

  private constructor(port: number) {
    this.url = `http://localhost:${port}`;
    this.#server.listen(port, '127.0.0.1');
  }

  static async open(): Promise<ReadyProxy> {
    return new ReadyProxy(await freePort());
  }

  /** Sends requests to this server while it is ready. */
  add({ url: serverUrl }: { url: string }): void {
    const { port } = new URL(serverUrl);
    const setReady = (isReady: boolean): void => {
      const index = this.#ready.indexOf(port);
      if (isReady && index === -1) this.#ready.push(port);
      if (!isReady && index !== -1) this.#ready.splice(index, 1);
    };
    const check = (): void => {
      request({ host: '127.0.0.1', port, path: '/readyz', agent: false }, (answer) => {
        setReady(answer.resume().statusCode === 200);
      })
        .on('error', () => {
          setReady(false);
        })
        .end();
    };
    this.#checks.push(setInterval(check, checkEveryMs));
  }

  /** How many servers get requests now. */
  get readyCount(): number {
    return this.#ready.length;
  }

  close(): void {
    for (const check of this.#checks) clearInterval(check);
    this.#agent.destroy();
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #pass(incoming: IncomingMessage, answer: ServerResponse): void {
    this.#next += 1;
    const port = this.#ready[this.#next % Math.max(1, this.#ready.length)];
    const { method, url: path, headers } = incoming;
    const sent = { 'x-forwarded-for': '198.51.100.1', ...headers };
    const outgoing = request(
      { host: '127.0.0.1', port: port ?? 1, method, path, agent: this.#agent, headers: sent },
      (response) => {
        answer.writeHead(response.statusCode ?? 502, { ...response.headers, connection: 'keep-alive' });
        response.pipe(answer);
      },
    );
    outgoing.on('error', () => {
      answer.writeHead(502).end();
    });
    incoming.pipe(outgoing);
  }
}
