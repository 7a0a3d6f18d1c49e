import { QueryObserver } from '@tanstack/react-query';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Share } from '#contract/shares.ts';
import { openPolicy } from '#contract/sharing-policy.suite.ts';
import { call } from '#web/api/call.ts';
import { queryClient, shareKeys } from '#web/api/queries/query-client.ts';
import { shareFor } from '#web/features/sharing/terms/share.suite.ts';
import { createLink, revokeLink } from './share-calls.ts';
import type { Links } from './share-queries.ts';

const link = shareFor();
const { recordingId } = link;
const lists: { queryKey: readonly unknown[]; queryFn: () => Promise<Links> }[] = [
  { queryKey: shareKeys.all, queryFn: () => call('listAllShares') },
  { queryKey: shareKeys.active, queryFn: () => call('listAllShares', { query: { state: 'active' } }) },
  {
    queryKey: shareKeys.ofRecording(recordingId),
    queryFn: () => call('listShares', { params: { recordingId } }),
  },
];

/** On a machine with other work, an answer takes seconds. */
const patiently = { timeout: 30_000 };

/** A server with one link. Returns the paths of the lists that it was asked for. */
function stubServer(): string[] {
  const read: string[] = [];
  const stored = [link];
  const json = (body: unknown, status = 200) =>
    new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', body }: RequestInit = {}) => {
    if (method === 'DELETE') {
      stored[0] = shareFor({ state: 'revoked' });
      return json(stored[0]);
    }
    if (method === 'POST') {
      stored.unshift(shareFor(JSON.parse(typeof body === 'string' ? body : '{}') as Partial<Share>));
      return json(stored[0], 201);
    }
    read.push(url);
    const items = url.includes('state=active') ? stored.filter(({ state }) => state === 'active') : stored;
    return json({ items: [...items], policy: openPolicy });
  });
  return read;
}

/** The ids and states in a list, as a screen shows it. */
const shown = (queryKey: readonly unknown[]) =>
  queryClient.getQueryData<Links>(queryKey)?.items.map(({ id, state }) => [id, state]);

/** Reads every list, and keeps it on a screen until the test has ended. */
async function showLists(signal: AbortSignal): Promise<void> {
  for (const list of lists) {
    const unsubscribe = new QueryObserver(queryClient, list).subscribe(() => undefined);
    signal.addEventListener('abort', unsubscribe);
    await vi.waitFor(() => expect(shown(list.queryKey)).toBeDefined(), patiently);
  }
}

let onScreen: AbortController;
beforeEach(() => {
  queryClient.clear();
  onScreen = new AbortController();
  return () => onScreen.abort();
});

test('a changed link is shown in every list, without reading the lists again', async () => {
  const read = stubServer();
  await showLists(onScreen.signal);
  read.length = 0;
  const created = await createLink(recordingId, { id: '0198f0aa-0000-7000-8000-000000000002' });
  await revokeLink(link.id);
  for (const queryKey of [shareKeys.all, shareKeys.ofRecording(recordingId)])
    expect(shown(queryKey)).toEqual([
      [created.id, 'active'],
      [link.id, 'revoked'],
    ]);
  expect(shown(shareKeys.active)).toEqual([[created.id, 'active']]);
  expect(queryClient.isFetching()).toBe(0);
  expect(read).toEqual([]);
});

test('a list that is being read while a link changes is read again', async () => {
  stubServer();
  await showLists(onScreen.signal);
  const answer = globalThis.fetch;
  let send = (): void => undefined;
  const isHeld = new Promise<void>((resolve) => {
    vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
      const response = await answer(url, init);
      if (init?.method === 'DELETE' || url.includes('state=active')) return response;
      vi.stubGlobal('fetch', answer);
      await new Promise<void>((release) => {
        send = release;
        resolve();
      });
      return response;
    });
  });
  void queryClient.refetchQueries({ queryKey: shareKeys.all });
  await isHeld;
  await revokeLink(link.id);
  send();
  await vi.waitFor(() => expect(queryClient.isFetching()).toBe(0), patiently);
  expect(shown(shareKeys.all)).toEqual([[link.id, 'revoked']]);
});
