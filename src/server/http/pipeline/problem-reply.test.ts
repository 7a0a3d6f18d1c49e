import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { acceptBodiesAsBytes } from './read-body.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { newId, storeMarker } from '#tests/support/factories.ts';
import { replyWithProblem } from './problem-reply.ts';

const coded = (message: string, code: string): Error => Object.assign(new Error(message), { code });

const lossesOfDatabase = [
  coded('read ECONNRESET', 'ECONNRESET'),
  coded('connect ECONNREFUSED 127.0.0.1:5432', 'ECONNREFUSED'),
  coded('connect ETIMEDOUT 192.0.2.1:5432', 'ETIMEDOUT'),
  coded('getaddrinfo ENOTFOUND db.example', 'ENOTFOUND'),
  coded('terminating connection due to administrator command', '57P01'),
  coded('the database system is starting up', '57P03'),
  coded('sorry, too many clients already', '53300'),
  coded('cannot execute UPDATE in a read-only transaction', '25006'),
  new Error('Connection terminated unexpectedly'),
  new Error('Client has encountered a connection error and is not queryable'),
  new Error('the transaction failed', { cause: coded('write EPIPE', 'EPIPE') }),
];
const lossesOfDisk = [
  coded('EIO: i/o error, write', 'EIO'),
  coded('EROFS: read-only file system, open', 'EROFS'),
  Object.assign(new Error('disk I/O error'), { errcode: 778 }),
];

/** Serves routes with the error handler under test, and collects the messages of the log. */
async function serve(mount: (app: FastifyInstance) => void): Promise<{ url: string; logged: string[] }> {
  const logged: string[] = [];
  const logger: FastifyBaseLogger = pino({ level: 'warn' }, { write: (line) => void logged.push(line) });
  const app = fastify({
    forceCloseConnections: true,
    loggerInstance: logger,
  });
  acceptBodiesAsBytes(app);
  app.setErrorHandler(replyWithProblem);
  mount(app);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  return { url, logged };
}

/** Sends headers, and the body once the test says so. */
function sendInParts(url: string): { finish: () => void; status: Promise<unknown[]> } {
  const outgoing = request(url, {
    method: 'PATCH',
    headers: { 'content-type': 'text/plain', 'content-length': 4 },
  });
  outgoing.flushHeaders();
  const status = new Promise<unknown[]>((resolve, reject) => {
    outgoing.once('error', reject);
    outgoing.once('response', (response) => {
      response.resume();
      resolve([response.statusCode, response.headers]);
    });
  });
  return { finish: () => outgoing.end('late'), status };
}

it.each([...lossesOfDatabase, ...lossesOfDisk])(
  'asks a device to send a request again while a store is unavailable, whether its body has arrived or not: %s',
  async (error) => {
    const fail = (): never => {
      throw error;
    };
    const { url } = await serve((app) => {
      app.patch('/body', fail);
      app.patch('/headers', { onRequest: async () => fail() }, async () => 'never');
    });
    const reply = await fetch(`${url}/body`, {
      method: 'PATCH',
      headers: { 'content-type': 'text/plain' },
      body: 'some bytes',
    });
    expect([reply.status, reply.headers.get('retry-after'), await reply.json()]).toEqual([
      503,
      '2',
      expect.objectContaining({ code: 'unavailable' }),
    ]);
    const { status, finish } = sendInParts(`${url}/headers`);
    expect(await status).toEqual([503, expect.objectContaining({ 'retry-after': '2' })]);
    finish();
  },
);

it('answers a download whose store is lost before its first byte without the headers of the file', async () => {
  const { url } = await serve((app) => {
    app.get('/', (_request, reply) =>
      reply
        .code(206)
        .headers({ 'Content-Range': 'bytes 0-4/5', 'Content-Disposition': 'attachment', ETag: '"a"' })
        .send(
          Readable.from(
            (async function* () {
              yield* [];
              throw coded('read ECONNRESET', 'ECONNRESET');
            })(),
          ),
        ),
    );
  });
  const reply = await fetch(url);
  expect(reply.status).toBe(503);
  expect(await reply.json()).toMatchObject({ code: 'unavailable' });
  for (const name of ['content-range', 'content-disposition', 'etag'])
    expect(reply.headers.has(name)).toBe(false);
});

it('does not call a connection that the client broke the outage of a store', async () => {
  const ended = Promise.withResolvers<unknown>();
  const { url, logged } = await serve((app) => {
    app.patch('/', async () => 'never');
    app.addHook('onError', async (_request, _reply, error) => {
      ended.resolve(error);
    });
  });
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write('PATCH / HTTP/1.1\r\nhost: a\r\ncontent-type: text/plain\r\ncontent-length: 4\r\n\r\nla');
  await once(socket, 'connect');
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  socket.resetAndDestroy();
  expect(await ended.promise).toMatchObject({ code: 'ECONNRESET' });
  expect(logged).toEqual([]);
});

eachDatabase((_name, open) => {
  it('X8e: answers not-found to a write for a recording that was purged after it was found', async () => {
    const database = await open();
    const app = fastify();
    app.setErrorHandler(replyWithProblem);
    app.post('/', () =>
      database.transaction(async (transaction) => {
        await storeMarker(transaction, { recording_id: newId(), created_by: newId() });
      }),
    );
    const reply = await app.inject({ method: 'POST', url: '/' });
    expect([reply.statusCode, reply.json()]).toEqual([404, expect.objectContaining({ code: 'not-found' })]);
  });
});
