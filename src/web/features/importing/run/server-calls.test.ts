import { expect, test, vi } from 'vitest';
import { sessionState } from '#web/api/session-state.ts';
import { newRecord } from './new-record.ts';
import { askForAdmission, registerImport } from './server-calls.ts';

const bob = { id: 'bob', displayName: 'Bob', email: null, locale: null, role: 'member', createdAt: '2026-11-21T09:00:00.000Z' } as const;

test('an import that was begun by one person asks the server for nobody else', async () => {
  const asked = vi.fn<(url: string) => Promise<Response>>();
  vi.stubGlobal('fetch', asked);
  sessionState.set({ status: 'signed-in', user: bob, signUp: 'open', hasMail: false, needsSetUpCode: false, methods: null, notices: [], isLeaving: false });
  const record = { ...newRecord(new File(['x'], 'Interview.wav'), 'alice'), facts: { title: 'Interview', startedAtMs: 0, format: { container: 'wav', codec: 'pcm', sampleRateHz: 8000, channels: 1 } } };
  const wanted = () => true;
  expect(await registerImport(JSON.parse(JSON.stringify(record)), wanted)).toEqual({ kind: 'refused', state: { step: 'sign-in' } });
  expect(await askForAdmission(JSON.parse(JSON.stringify(record)), wanted)).toEqual({ kind: 'refused', state: { step: 'sign-in' } });
  expect(asked).not.toHaveBeenCalled();
});
