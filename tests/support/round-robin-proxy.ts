import {
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
  Agent,
} from 'node:http';
import { freePort } from '#scripts/free-port.ts';

const checkEveryMs = 250;
const checkTimeoutMs = 2000;

interface Backend {
  port: number;
  agent: Agent;
  isReady: boolean;
}

const isSafe = (method: string | undefined): boolean => method === 'GET' || method === 'HEAD';

async function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/**
 * A proxy without stickiness: each request goes to the next node whose `/readyz` is 200. A request that failed is sent
 * to another node only if it is safe to repeat; otherwise it is answered with 502, as real proxies do.
 */
export class RoundRobinProxy {
  readonly url: string;
  /** How many connections a node did not accept. */
  failedConnections = 0;
  readonly #server: Server;
  readonly #backends: Backend[] = [];
  readonly #checks = new Set<NodeJS.Timeout>();
  #next = 0;

  private constructor(port: number) {
    this.url = `http://localhost:${port}`;
    this.#server = createServer((incoming, answer) => {
      void this.#pass(incoming, answer).catch(() => answer.destroy());
    }).listen(port, '127.0.0.1');
  }

  static async open(): Promise<RoundRobinProxy> {
    return new RoundRobinProxy(await freePort());
  }

  /** Sends requests to this node too, once it is ready. */
  add(nodeUrl: string): void {
    const backend = {
      port: Number(new URL(nodeUrl).port),
      agent: new Agent({ keepAlive: true, maxSockets: 512 }),
      isReady: false,
    };
    this.#backends.push(backend);
    this.#checks.add(
      setInterval(() => {
        this.#check(backend);
      }, checkEveryMs),
    );
  }

  /** How many nodes get requests now. */
  get readyCount(): number {
    return this.#backends.filter(({ isReady }) => isReady).length;
  }

  async close(): Promise<void> {
    for (const check of this.#checks) clearInterval(check);
    for (const { agent } of this.#backends) agent.destroy();
    const closed = new Promise((resolve) => {
      this.#server.close(resolve);
    });
    this.#server.closeAllConnections();
    await closed;
  }

  #check(backend: Backend): void {
    const asked = request(
      { host: '127.0.0.1', port: backend.port, path: '/readyz', agent: false, timeout: checkTimeoutMs },
      (answer) => {
        backend.isReady = answer.statusCode === 200;
        answer.resume();
      },
    );
    asked.on('timeout', () => asked.destroy());
    asked.on('error', () => {
      backend.isReady = false;
    });
    asked.end();
  }

  async #pass(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const body = await bodyOf(incoming);
    for (let attempt = 0; attempt < this.#backends.length; attempt += 1) {
      const ready = this.#backends.filter(({ isReady }) => isReady);
      this.#next += 1;
      const backend = ready[this.#next % ready.length];
      if (backend === undefined) break;
      if (await this.#send(backend, incoming, { body, answer })) return;
      if (!isSafe(incoming.method)) break;
    }
    answer.writeHead(502).end();
  }

  /** Returns false if the node did not answer. */
  #send(
    backend: Backend,
    { method, url, headers }: IncomingMessage,
    { body, answer }: { body: Buffer; answer: ServerResponse },
  ): Promise<boolean> {
    const { port, agent } = backend;
    return new Promise((resolve) => {
      const outgoing = request(
        {
          host: '127.0.0.1',
          port,
          method,
          path: url,
          agent,
          // A test's client names the address that it stands for.
          headers: { 'x-forwarded-for': '198.51.100.1', ...headers },
        },
        (response) => {
          const { connection: _connection, ...passed } = response.headers;
          answer.writeHead(response.statusCode ?? 502, passed);
          answer.flushHeaders();
          response.pipe(answer);
          response.on('error', () => answer.destroy());
          resolve(true);
        },
      );
      outgoing.on('error', (error) => {
        if ('code' in error && error.code === 'ECONNREFUSED') this.failedConnections += 1;
        backend.isReady = false;
        resolve(false);
      });
      answer.on('close', () => outgoing.destroy());
      outgoing.end(body);
    });
  }
}
