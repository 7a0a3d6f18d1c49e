import fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { replyWithProblem } from './problem-reply.ts';

const coded = (message: string, code: string): Error => Object.assign(new Error(message), { code });

it.each([
  coded('read ECONNRESET', 'ECONNRESET'),
  coded('connect ECONNREFUSED 127.0.0.1:5432', 'ECONNREFUSED'),
  coded('terminating connection due to administrator command', '57P01'),
  coded('the database system is starting up', '57P03'),
  new Error('Connection terminated unexpectedly'),
  new Error('Client has encountered a connection error and is not queryable'),
  new Error('the transaction failed', { cause: coded('write EPIPE', 'EPIPE') }),
])('asks a device to send a request again while the database restarts: %s', async (error) => {
  const app = fastify();
  app.setErrorHandler(replyWithProblem);
  app.patch('/', () => {
    throw error;
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  const reply = await fetch(url, {
    method: 'PATCH',
    headers: { 'content-type': 'text/plain' },
    body: 'some bytes',
  });
  expect([reply.status, reply.headers.get('retry-after'), await reply.json()]).toEqual([
    503,
    '2',
    expect.objectContaining({ code: 'overloaded' }),
  ]);
});
