import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Random } from './random.ts';

/** What can happen to a request. */
const fates = [
  'answered',
  'dropped',
  'answer lost',
  'twice',
  'late',
  'cut',
  '413',
  '500',
  'stale epoch',
  'lower offset',
  'hotel',
] as const;
export type Fate = (typeof fates)[number];

interface Call {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: Buffer;
}
interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

async function readAll(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const problem = (status: number, code: string): Answer => ({
  status,
  headers: { 'content-type': 'application/problem+json' },
  body: Buffer.from(
    JSON.stringify({ type: `/problems/${code}`, title: code, status, instance: 'urn:uuid:0', code }),
  ),
});

/** A proxy between browser and server that misbehaves on request. */
export class ChaosProxy {
  readonly url: string;
  /** What the server did although it must never do so. */
  readonly violations: string[] = [];
  readonly met = new Map<Fate, number>();
  /** Decides the fate of each upload request; without it all pass. */
  choose: ((call: { method: string; path: string }) => Fate) | null = null;
  #isOffline = false;
  readonly #server: Server;
  readonly #target: URL;
  #retained: Call | null = null;

  private constructor(server: Server, port: number, target: string) {
    this.#server = server;
    this.#target = new URL(target);
    this.url = `http://localhost:${port}`;
  }

  /** Listens on the loopback address, by default on a free port. */
  static async open(target: string, atPort = 0): Promise<ChaosProxy> {
    let proxy: ChaosProxy | null = null;
    const server = createServer((incoming, outgoing) => {
      void proxy?.handle(incoming, outgoing).catch(() => outgoing.destroy());
    });
    server.listen(atPort, '127.0.0.1');
    await new Promise((resolve) => {
      server.once('listening', resolve);
    });
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    proxy = new ChaosProxy(server, address.port, target);
    return proxy;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }

  /** Drops every connection until it is called again, as if the device had no network. */
  setOffline(isOffline: boolean): void {
    this.#isOffline = isOffline;
    if (isOffline) this.#server.closeAllConnections();
  }

  /** Every second request passes, because the retry delays would otherwise outlast the test. */
  misbehave(random: Random): void {
    let calls = 0;
    this.choose = () => {
      calls += 1;
      return calls % 2 === 0 ? 'answered' : random.pick(fates);
    };
  }

  async handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    if (this.#isOffline) {
      incoming.socket.destroy();
      return;
    }
    const path = incoming.url ?? '/';
    const method = incoming.method ?? 'GET';
    const fate = path.startsWith('/api/uploads/')
      ? (this.choose?.({ method, path }) ?? 'answered')
      : 'answered';
    if (!path.startsWith('/api/uploads/')) {
      this.#stream(incoming, outgoing);
      return;
    }
    this.met.set(fate, (this.met.get(fate) ?? 0) + 1);
    const call: Call = { method, path, headers: incoming.headers, body: await readAll(incoming) };
    const answer = await this.#outcomes[fate](call);
    if (answer === null) {
      incoming.socket.destroy();
      return;
    }
    outgoing.writeHead(answer.status, answer.headers);
    outgoing.end(answer.body);
  }

  /** What each fate does with a request; null is a dropped connection. */
  readonly #outcomes: Record<Fate, (call: Call) => Promise<Answer | null>> = {
    answered: async (call) => {
      const late = this.#retained;
      this.#retained = null;
      const answer = await this.#send(call);
      // An abandoned request arrives after its successor.
      if (late) await this.#send(late).catch(() => undefined);
      return answer;
    },
    dropped: async () => null,
    'answer lost': async (call) => {
      await this.#send(call);
      return null;
    },
    twice: async (call) => {
      await this.#send(call);
      return this.#send(call);
    },
    late: async (call) => {
      this.#retained = call;
      return null;
    },
    cut: async (call) => {
      await this.#cut(call);
      return null;
    },
    '413': async () => problem(413, 'too-large'),
    '500': async () => problem(500, 'internal'),
    hotel: async () => ({
      status: 200,
      headers: { 'content-type': 'text/html' },
      body: Buffer.from('<h1>Welcome to our Wi-Fi</h1>'),
    }),
    'stale epoch': async (call) => {
      if (call.method === 'PATCH') {
        // An older writer of the same take tries to append its bytes, which must be rejected.
        const { status } = await this.#send({ ...call, headers: { ...call.headers, 'upload-epoch': '0' } });
        if (status < 300) this.violations.push('the server took bytes from a stale writer');
      }
      return this.#send(call);
    },
    'lower offset': (call) =>
      this.#send(
        call.method === 'PATCH' ? { ...call, headers: { ...call.headers, 'upload-offset': '0' } } : call,
      ),
  };

  #options({ method, path, headers }: Omit<Call, 'body'>) {
    return { host: '127.0.0.1', port: this.#target.port, method, path, headers, agent: false };
  }

  #stream(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const onward = request(
      this.#options({
        method: incoming.method ?? 'GET',
        path: incoming.url ?? '/',
        headers: incoming.headers,
      }),
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    onward.on('error', () => {
      outgoing.destroy();
    });
    outgoing.on('close', () => {
      onward.destroy();
    });
    incoming.pipe(onward);
  }

  #send(call: Call): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const onward = request(this.#options(call), (answer) => {
        readAll(answer).then((body) => {
          resolve({ status: answer.statusCode ?? 502, headers: answer.headers, body });
        }, reject);
      });
      onward.on('error', reject);
      onward.end(call.body);
    });
  }

  /** Sends half of the body and drops the connection. */
  #cut(call: Call): Promise<void> {
    return new Promise((resolve) => {
      const onward = request(this.#options(call));
      onward.on('error', () => {
        resolve();
      });
      onward.on('close', () => {
        resolve();
      });
      onward.write(call.body.subarray(0, Math.ceil(call.body.length / 2)), () => {
        onward.destroy();
      });
      if (call.body.length === 0) onward.destroy();
    });
  }
}
