import fastify, { type FastifyInstance } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { jsonTexts, sendInPieces } from './send-in-pieces.ts';
import { replyWithProblem } from './pipeline/problem-reply.ts';
import { ProblemError } from './problem.ts';

async function* pagesOf(pages: readonly (readonly unknown[])[], failure?: Error) {
  for (const page of pages) yield await Promise.resolve(page);
  if (failure) throw failure;
}

async function serverOf(
  body: () => Record<string, unknown>,
  onPiece: (bytes: number) => void = () => undefined,
): Promise<{ app: FastifyInstance; url: string }> {
  const app = fastify();
  app.setErrorHandler(replyWithProblem);
  app.get('/', async (_request, reply) => {
    await sendInPieces(reply.type('application/json'), jsonTexts(body()), onPiece);
    return reply;
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  return { app, url };
}

const long = 'é'.repeat(10_000);

test('a reply with lists that are read while it is sent is the same JSON', async () => {
  const pages = [[1, long], [], [{ a: null }], Array.from({ length: 50 }, () => long)];
  const { url } = await serverOf(() => ({
    items: pagesOf(pages),
    missing: undefined,
    'ke"y': [true],
    others: pagesOf([]),
  }));
  expect(await (await fetch(url)).json()).toEqual({ items: pages.flat(), 'ke"y': [true], others: [] });
});

test('a short reply is sent whole, with its length', async () => {
  const { url } = await serverOf(() => ({ items: pagesOf([['one'], ['two']]) }));
  const reply = await fetch(url);
  expect([reply.headers.get('content-length'), await reply.text()]).toEqual([
    '23',
    '{"items":["one","two"]}',
  ]);
});

test('HEAD has no body and ends, however long the list is', async () => {
  const { url } = await serverOf(() => ({ items: pagesOf(Array.from({ length: 100 }, () => [long])) }));
  expect([(await fetch(url, { method: 'HEAD' })).status, (await fetch(url)).status]).toEqual([200, 200]);
});

test('every byte of the body is counted', async () => {
  let bytes = 0;
  const { url } = await serverOf(
    () => ({ items: pagesOf([Array.from({ length: 60 }, () => long)]) }),
    (count) => {
      bytes += count;
    },
  );
  expect((await (await fetch(url)).arrayBuffer()).byteLength).toBe(bytes);
});

test('other work runs between two pieces of a page that is in memory', async () => {
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  const { url } = await serverOf(() => ({ items: pagesOf([Array.from({ length: 200 }, () => long)]) }));
  setImmediate(count);
  await (await fetch(url)).arrayBuffer();
  isOver = true;
  expect(turns).toBeGreaterThan(20);
});

test('a list that fails at its start is a problem, and one that fails later never looks complete', async () => {
  const atStart = await serverOf(() => ({ items: pagesOf([], new ProblemError('not-found')) }));
  expect((await fetch(atStart.url)).status).toBe(404);
  const later = await serverOf(() => ({
    items: pagesOf(
      Array.from({ length: 100 }, () => [long]),
      new Error('the database is gone'),
    ),
  }));
  await expect(fetch(later.url).then((reply) => reply.text())).rejects.toThrow('terminated');
});
