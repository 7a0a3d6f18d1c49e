import { expect, test, vi } from 'vitest';
import { sessionState } from '#web/api/session-state.ts';
import type { FileFacts } from '#workers/import/import-record.ts';
import { newRecord } from './new-record.ts';
import { registerImport } from './server-calls.ts';

const bob = {
  id: 'bob',
  displayName: 'Bob',
  email: null,
  locale: null,
  role: 'member',
  createdAt: '2026-11-21T09:00:00.000Z',
} as const;
const format: FileFacts['format'] = { container: 'wav', codec: 'pcm', sampleRateHz: 8000, channels: 1 };

/** The request that registers an import with these facts. */
async function registered(facts: Partial<FileFacts>): Promise<unknown> {
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (_url: string, { body }: { body: string }) => {
    sent.push(JSON.parse(body));
    return new Response(
      JSON.stringify({
        type: '/problems/not-found',
        title: 'not-found',
        status: 404,
        instance: 'urn:uuid:0',
        code: 'not-found',
      }),
      { status: 404, headers: { 'content-type': 'application/problem+json' } },
    );
  });
  sessionState.set({
    status: 'signed-in',
    user: bob,
    signUp: 'open',
    hasMail: false,
    needsSetUpCode: false,
    methods: null,
    notices: [],
    isLeaving: false,
  });
  const record = {
    ...newRecord(new File(['x'], 'Interview.wav'), 'bob'),
    timeZone: 'Asia/Kolkata',
    facts: { title: 'Interview', durationMs: null, format, ...facts },
  };
  await registerImport(record, { isWanted: () => true });
  return sent[0];
}

test('registers an import with the known part of its time', async () => {
  expect(await registered({ recordedTime: { kind: 'date', date: '1961-01-20' } })).toMatchObject({
    recordedTime: { kind: 'date', date: '1961-01-20' },
  });
});

test('registers a file read by an older version with its moment and the device’s time zone', async () => {
  expect(await registered({ startedAtMs: Date.UTC(2024, 4, 17, 14, 3) })).toMatchObject({
    recordedTime: { kind: 'moment', at: '2024-05-17T14:03:00.000Z', timeZone: 'Asia/Kolkata' },
  });
});
