import { beforeEach, expect, test, vi } from 'vitest';
import type { Marker } from '#contract/markers-api.ts';
import { type EntryOf, newEntry } from '#device/outbox/outbox-entry.ts';
import { queryClient, recordingKeys } from '#web/api/queries/query-client.ts';
import { showFailure } from '#web/ui/overlays/toast.tsx';
import { sendMarkerEntry } from './send-marker.ts';

vi.mock('#web/ui/overlays/toast.tsx', () => ({ showFailure: vi.fn<() => void>() }));

const fields = { atMs: 1000, label: 'Well', colour: 'blue' } as const;
const entryOf = (payload: Partial<EntryOf<'marker'>['payload']>): EntryOf<'marker'> =>
  newEntry({
    userId: 'ana',
    kind: 'marker',
    target: 'm',
    payload: { recordingId: 'r', isNew: false, isRemoved: false, fields: {}, ...payload },
  });
const markerOf = (change: Partial<Marker> = {}): Marker => ({
  id: 'm',
  recordingId: 'r',
  ...fields,
  createdAt: '2026-01-01T00:00:00.000Z',
  ...change,
});

let sent: unknown[] = [];
const answer = (...responses: Response[]): void => {
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    sent.push([init.method, url, typeof init.body === 'string' ? JSON.parse(init.body) : null]);
    return responses.shift();
  });
};
const shown = (): unknown => queryClient.getQueryData(recordingKeys.markers('r'));

beforeEach(() => {
  sent = [];
  // Responses are checked against the contract only in development.
  vi.stubEnv('DEV', false);
  vi.mocked(showFailure).mockClear();
  queryClient.setQueryData(recordingKeys.markers('r'), [markerOf({ id: 'other', atMs: 2000 })]);
});

test("creates a marker and shows the server's version of it", async () => {
  answer(Response.json(markerOf()));
  expect(await sendMarkerEntry(entryOf({ isNew: true, fields }))).toBe('settled');
  expect(sent).toEqual([['POST', '/api/recordings/r/markers', { id: 'm', ...fields }]]);
  expect(shown()).toEqual([markerOf(), markerOf({ id: 'other', atMs: 2000 })]);
});

test('changes a marker that an attempt without a response has created', async () => {
  answer(Response.json(markerOf({ label: '' })), Response.json(markerOf()));
  expect(await sendMarkerEntry(entryOf({ isNew: true, fields }))).toBe('settled');
  expect(sent).toEqual([
    ['POST', '/api/recordings/r/markers', { id: 'm', ...fields }],
    ['PATCH', '/api/recordings/r/markers/m', fields],
  ]);
});

test('removes a marker even if it may never have been created', async () => {
  answer(new Response(null, { status: 204 }));
  expect(await sendMarkerEntry(entryOf({ isNew: true, isRemoved: true, fields }))).toBe('settled');
  expect(sent).toEqual([['DELETE', '/api/recordings/r/markers/m', null]]);
});

test('removes a change that the server rejects and shows a message, but not one that failed', async () => {
  const problem = (status: number, code: string): Response =>
    Response.json(
      { title: code, status, code, instance: 'urn:uuid:7' },
      { status, headers: { 'content-type': 'application/problem+json' } },
    );
  answer(problem(500, 'internal'), problem(413, 'too-much-text'));
  const entry = entryOf({ fields: { label: 'Well' } });
  expect(await sendMarkerEntry(entry)).toBe('later');
  expect(showFailure).not.toHaveBeenCalled();
  expect(await sendMarkerEntry(entry)).toBe('settled');
  expect(showFailure).toHaveBeenCalledOnce();
});
