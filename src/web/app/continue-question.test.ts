import { beforeEach, expect, test, vi } from 'vitest';
import type { Share } from '#contract/shares.ts';
import { openPolicy } from '#contract/sharing-policy.suite.ts';
import { queryClient } from '#web/api/queries/query-client.ts';
import { sessionState } from '#web/api/session-state.ts';
import { recorder } from '#web/features/recorder/recorder.ts';
import { shareFor } from '#web/features/sharing/terms/share.suite.ts';
import { activeLinks } from '#web/recordings/on-air/active-links.ts';
import { linksThatContinue } from '#web/recordings/on-air/links-that-continue.ts';
import {
  continueAfterQuestion,
  continueForListeners,
  continueQuestion,
  continueWithoutListeners,
} from './continue-question.ts';

const take = { id: shareFor().recordingId, lengthMs: 72_013.4 };
const order: unknown[] = [];

beforeEach(() => {
  order.length = 0;
  queryClient.clear();
  continueQuestion.set(null);
  vi.spyOn(sessionState, 'getSnapshot').mockReturnValue({
    ...sessionState.getSnapshot(),
    status: 'signed-in',
  } as ReturnType<typeof sessionState.getSnapshot>);
  vi.spyOn(recorder, 'continueTake').mockImplementation(async (id) => {
    order.push(`record ${id}`);
  });
});

const knowLinks = (items: Share[]) =>
  queryClient.setQueryData(activeLinks.queryKey, { items, policy: openPolicy });

/** A server that accepts changes of links, or is unavailable. */
const stubServer = (isUnavailable = false) =>
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    order.push([
      init.method,
      new URL(url, 'http://x').pathname.split('/').at(-1),
      JSON.parse(typeof init.body === 'string' ? init.body : '{}'),
    ]);
    if (isUnavailable) throw new TypeError('network');
    return new Response(JSON.stringify(shareFor({ toMs: 72_013, revision: 2 })), {
      headers: { 'content-type': 'application/json' },
    });
  });

test('a take that no link plays is continued at once', async () => {
  knowLinks([shareFor({ toMs: 5000 }), shareFor({ recordingId: 'another' })]);
  await continueAfterQuestion(take);
  expect(order).toEqual([`record ${take.id}`]);
  expect(continueQuestion.getSnapshot()).toBeNull();
});

test('a shared take is not recorded before the answer, and every link ends before the new part', async () => {
  stubServer();
  knowLinks([shareFor()]);
  await continueAfterQuestion(take);
  const question = continueQuestion.getSnapshot();
  expect(order).toEqual([]);
  expect(question?.links).toHaveLength(1);
  if (question) await continueWithoutListeners(question);
  expect(order).toEqual([['PATCH', shareFor().id, { revision: 1, toMs: 72_013 }], `record ${take.id}`]);
});

test('nothing is recorded if a link could not be ended', async () => {
  stubServer(true);
  knowLinks([shareFor()]);
  await continueAfterQuestion(take);
  const question = continueQuestion.getSnapshot();
  await expect(question && continueWithoutListeners(question)).rejects.toMatchObject({ status: 0 });
  expect(order).not.toContain(`record ${take.id}`);
});

test('listeners hear the new part only if the owner says so', async () => {
  knowLinks([shareFor()]);
  await continueAfterQuestion(take);
  expect(linksThatContinue.getSnapshot().has(take.id)).toBe(false);
  const question = continueQuestion.getSnapshot();
  if (question) await continueForListeners(question);
  expect(linksThatContinue.getSnapshot().has(take.id)).toBe(true);
  expect(order).toEqual([`record ${take.id}`]);
});
