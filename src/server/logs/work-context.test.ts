import { PassThrough } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import { minute } from '#base/duration.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { fakeClock } from '#tests/support/fake-clock.ts';
import { createApp } from '#server/http/app.ts';
import { route } from '#server/http/route.ts';
import { createJobQueue } from '#server/jobs/database-job-queue.ts';
import type { JobHandler } from '#server/jobs/job-queue.ts';
import { JobRunner } from '#server/jobs/job-runner.ts';
import { createLogger } from './logger.ts';
import type { Database } from '#server/storage/database/database.ts';

const publicUrl = 'http://localhost:3000';
const proxyId = '5f2b6c1e-9a0d-4e7f-8b3c-2d1a0f9e8d7c';
const orderEndpoint = {
  method: 'POST',
  path: '/api/orders',
  summary: 'Enqueues a job.',
  access: 'anyone',
  statuses: [204],
  errors: [],
} as const satisfies Endpoint;

interface Line {
  node: string;
  msg: string;
  requestId?: string;
  jobId?: string;
}

eachDatabase((_name, _open, openPair) => {
  /** Servers of one database. `lines` returns what all of them have logged. */
  async function startNodes() {
    const { database, reopen } = await openPair();
    const clock = fakeClock();
    const stream = new PassThrough();
    let text = '';
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    const lines = () =>
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Line);
    const queue = createJobQueue({ clock });
    const loggerOf = (node: string) => createLogger('info', stream).child({ node });
    const addRunner = (node: string, opened: Database, handlers: JobHandler[]) => {
      const logger = loggerOf(node);
      const runner = new JobRunner({
        database: opened,
        queue,
        clock,
        handlers,
        random: () => 0,
        onEnded: ({ outcome }) => logger.info({ outcome }, 'job'),
      });
      onTestFinished(() => runner.stop({ graceMs: 0 }));
      return { runner, logger };
    };
    const app = createApp({
      config: { publicUrl, trustedProxyHops: 1 },
      routes: [
        route(orderEndpoint, async ({ request }) => {
          request.log.info('ordered');
          await database.transaction((transaction) =>
            queue.enqueue(transaction, { kind: 'order', payload: null }),
          );
          return {};
        }),
      ],
      identify: { session: async () => null, uploadCapability: async () => null },
      logger: loggerOf('web'),
    });
    onTestFinished(() => app.close());
    const order = async (requestId: string) => {
      const { headers, statusCode } = await app.inject({
        method: 'POST',
        url: orderEndpoint.path,
        headers: { host: 'localhost:3000', origin: publicUrl, 'x-request-id': requestId },
      });
      expect(statusCode).toBe(204);
      return String(headers['x-request-id']);
    };
    return { database, reopen, clock, queue, addRunner, order, lines };
  }

  it('finds a request and all of its jobs under one id, on every server and in every attempt', async () => {
    const nodes = await startNodes();
    const failing = nodes.addRunner('first', nodes.database, [
      {
        kind: 'order',
        async run() {
          failing.logger.info('tried');
          throw new Error('not here');
        },
      },
    ]);
    const second = await nodes.reopen();
    const finishing = nodes.addRunner('second', second, [
      {
        kind: 'order',
        async run() {
          await second.ping();
          await nodes.queue.enqueue(second.queries, { kind: 'delivery', payload: null });
          finishing.logger.info('packed');
        },
      },
      {
        kind: 'delivery',
        async run() {
          finishing.logger.info('delivered');
        },
      },
      {
        kind: 'sweep',
        async run() {
          finishing.logger.info('swept');
        },
      },
    ]);
    finishing.runner.schedule('sweep', minute);
    expect(await nodes.order(proxyId)).toBe(proxyId);
    await failing.runner.runDue();
    nodes.clock.advance(minute);
    await finishing.runner.runDue();
    const ofRequest = nodes.lines().filter(({ requestId }) => requestId === proxyId);
    expect(ofRequest.map(({ node, msg }) => `${node}: ${msg}`)).toEqual([
      'web: ordered',
      'web: request',
      'first: tried',
      'first: job',
      'second: packed',
      'second: job',
      'second: delivered',
      'second: job',
    ]);
    const jobs = await nodes.database.queries
      .selectFrom('jobs')
      .select(['id', 'kind', 'request_id'])
      .orderBy('created_at')
      .execute();
    const idOf = (wanted: string) => jobs.find(({ kind }) => kind === wanted)?.id;
    expect(ofRequest.map(({ jobId }) => jobId)).toEqual([
      undefined,
      undefined,
      idOf('order'),
      idOf('order'),
      idOf('order'),
      idOf('order'),
      idOf('delivery'),
      idOf('delivery'),
    ]);
    const swept = nodes.lines().filter(({ jobId }) => jobId === idOf('sweep'));
    expect(swept.map(({ msg, requestId }) => [msg, requestId])).toEqual([
      ['swept', undefined],
      ['job', undefined],
    ]);
  });

  it('stores no id that the rule for X-Request-Id rejects', async () => {
    const { database, order } = await startNodes();
    const answered = await order(`${proxyId} {"level":60}`);
    expect(answered).toMatch(/^[\da-f-]{36}$/);
    const stored = await database.queries.selectFrom('jobs').select('request_id').execute();
    expect(stored).toEqual([{ request_id: answered }]);
  });

  it('stores the id of the request with the statement that stores the job', async () => {
    const { database, queue } = await startNodes();
    const statements: string[] = [];
    const counted = database.queries.withPlugin({
      transformQuery({ node }) {
        statements.push(node.kind);
        return node;
      },
      transformResult: ({ result }) => Promise.resolve(result),
    });
    await queue.enqueue(counted, { kind: 'order', payload: null });
    expect(statements).toEqual(['InsertQueryNode']);
  });
});
