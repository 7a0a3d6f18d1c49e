import { expect, test, vi } from 'vitest';
import { connection, noticingFetch } from './connection.ts';

const answer = (status: number) => vi.stubGlobal('fetch', async () => new Response(null, { status }));
const fail = (error: Error) => vi.stubGlobal('fetch', async () => { throw error; });

test('the server is there when it answers, whatever it says, and gone when nothing or only a proxy does', async () => {
  answer(401);
  await noticingFetch('/api/x');
  expect(connection.getSnapshot()).toBe('there');
  fail(new TypeError('Failed to fetch'));
  await expect(noticingFetch('/api/x')).rejects.toThrow('Failed to fetch');
  expect(connection.getSnapshot()).toBe('gone');
  answer(200);
  await noticingFetch('/api/x');
  answer(502);
  await noticingFetch('/api/x');
  expect(connection.getSnapshot()).toBe('gone');
});

test('a request that was called back says nothing about the server', async () => {
  answer(204);
  await noticingFetch('/api/x');
  fail(new DOMException('called back', 'AbortError'));
  await expect(noticingFetch('/api/x')).rejects.toThrow('called back');
  expect(connection.getSnapshot()).toBe('there');
});
