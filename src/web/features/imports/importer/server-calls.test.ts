import { expect, onTestFinished, test, vi } from 'vitest';
import { sessionState } from '#web/api/session-state.ts';
import { newRecord } from './new-record.ts';
import { judgementOf, requestAdmission, registerImport } from './server-calls.ts';

const bob = {
  id: 'bob',
  displayName: 'Bob',
  email: null,
  locale: null,
  role: 'member',
  createdAt: '2026-11-21T09:00:00.000Z',
} as const;

test('sends no request for an import while another user is signed in', async () => {
  const asked = vi.fn<(url: string) => Promise<Response>>();
  vi.stubGlobal('fetch', asked);
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
    ...newRecord(new File(['x'], 'Interview.wav'), 'alice'),
    facts: {
      title: 'Interview',
      startedAtMs: 0,
      format: { container: 'wav', codec: 'pcm', sampleRateHz: 8000, channels: 1 },
    },
  };
  const wanted = { isWanted: () => true };
  expect(await registerImport(JSON.parse(JSON.stringify(record)), wanted)).toEqual({
    kind: 'rejected',
    state: { step: 'sign-in' },
  });
  expect(await requestAdmission(JSON.parse(JSON.stringify(record)), wanted)).toEqual({
    kind: 'rejected',
    state: { step: 'sign-in' },
  });
  expect(await judgementOf(JSON.parse(JSON.stringify(record)))).toBeNull();
  expect(asked).not.toHaveBeenCalled();
});

test.each([
  ['not-found', 404],
  ['purged', 410],
])('takes the recording of an import for deleted after the answer %s to its owner', async (code, status) => {
  vi.stubGlobal(
    'fetch',
    async () =>
      new Response(
        JSON.stringify({ type: `/problems/${code}`, title: code, status, instance: 'urn:uuid:0', code }),
        { status, headers: { 'content-type': 'application/problem+json' } },
      ),
  );
  expect(await judgementOf(newRecord(new File(['x'], 'Interview.wav'), 'bob'))).toBe('gone');
});

test('retries while the server is out of space, and reports why it waits', async () => {
  const answers = ['storage-full', 'storage-full', 'quota-exceeded'];
  vi.stubGlobal('fetch', async () => {
    const code = answers.shift() ?? 'internal';
    const status = code === 'storage-full' ? 507 : 413;
    return new Response(
      JSON.stringify({ type: `/problems/${code}`, title: code, status, instance: 'urn:uuid:0', code }),
      { status, headers: { 'content-type': 'application/problem+json' } },
    );
  });
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
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
    facts: {
      title: 'Interview',
      startedAtMs: 0,
      format: { container: 'wav', codec: 'pcm', sampleRateHz: 8000, channels: 1 },
    },
  };
  const onRetry = vi.fn<() => void>();
  const registration = registerImport(JSON.parse(JSON.stringify(record)), {
    isWanted: () => true,
    onRetry,
  });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await registration).toMatchObject({ kind: 'rejected', state: { step: 'over-quota' } });
  expect(onRetry).toHaveBeenCalledTimes(2);
});
