import { beforeEach, expect, test, vi } from 'vitest';
import { newEntry, type EntryOf } from '#device/outbox/outbox-entry.ts';
import { queryClient, recordingKeys } from '#web/api/queries/query-client.ts';
import { showFailure } from '#web/ui/overlays/toast.tsx';
import { sendFavourite } from './send-favourite.ts';

vi.mock('#web/ui/overlays/toast.tsx', () => ({ showFailure: vi.fn<() => void>() }));

const entry: EntryOf<'favourite'> = {
  ...newEntry({ userId: 'ana', kind: 'favourite', target: 'a', payload: { isFavourite: true } }),
  kind: 'favourite',
  payload: { isFavourite: true },
};
const problem = (status: number, code: string): Response =>
  Response.json(
    { title: code, status, code, instance: 'urn:uuid:7' },
    { status, headers: { 'content-type': 'application/problem+json' } },
  );
const answer = (response: Response): void => {
  vi.stubGlobal('fetch', async () => response);
};

beforeEach(() => {
  // Responses are checked against the contract only in development. Those of this server are empty.
  vi.stubEnv('DEV', false);
  vi.mocked(showFailure).mockClear();
  queryClient.setQueryData(recordingKeys.one('a'), { id: 'a', isFavourite: false });
});

const shown = (): unknown => queryClient.getQueryData(recordingKeys.one('a'));

test('shows a saved star on every list before the entry is removed', async () => {
  answer(new Response(null, { status: 204 }));
  expect(await sendFavourite(entry)).toBe('settled');
  expect(shown()).toEqual({ id: 'a', isFavourite: true });
});

test.each([
  [404, 'not-found'],
  [422, 'validation'],
  [413, 'quota-exceeded'],
])('removes a star that the server rejects with %i and shows a message', async (status, code) => {
  answer(problem(status, code));
  expect(await sendFavourite(entry)).toBe('settled');
  expect(shown()).toEqual({ id: 'a', isFavourite: false });
  expect(showFailure).toHaveBeenCalledOnce();
});

test.each([
  [500, 'internal', 'later'],
  [403, 'account-disabled', 'other-session'],
])(
  'does not drop a star on a response of %i (%s), which is not about the star',
  async (status, code, result) => {
    answer(problem(status, code));
    expect(await sendFavourite(entry)).toBe(result);
    expect(showFailure).not.toHaveBeenCalled();
  },
);
