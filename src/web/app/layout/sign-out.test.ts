import { i18n } from '@lingui/core';
import { expect, test, vi } from 'vitest';
import { signOut } from '#web/api/session.ts';
import { toastQueue } from '#web/ui/overlays/toast-queue.ts';
import { signOutAndReport } from './sign-out.ts';

vi.mock('#web/api/session.ts', () => ({
  signOut: vi.fn<() => Promise<'ended' | 'pending'>>(async () => 'ended'),
}));
vi.mock('./layout-chunks.ts', () => ({
  layoutChunks: { errorMessages: { load: () => Promise.reject(new TypeError('Failed to fetch')) } },
}));

i18n.loadAndActivate({ locale: 'en', messages: {} });

const shown = () => toastQueue.visibleToasts.map(({ content }) => content.message());

test('reports a failed sign-out, also when the chunk of error messages does not load', async () => {
  vi.mocked(signOut).mockRejectedValueOnce(new Error('no connection'));
  await signOutAndReport();
  expect(shown()).toEqual(['Something went wrong. Try again.']);
});

test('reports a sign-out', async () => {
  toastQueue.clear();
  await signOutAndReport();
  expect(shown()).toEqual(['You’re signed out. Recordings on this device stay here.']);
});

test('says that the session ends later if the server could not be reached', async () => {
  toastQueue.clear();
  vi.mocked(signOut).mockResolvedValueOnce('pending');
  await signOutAndReport();
  expect(shown()).toEqual([
    expect.stringMatching(/^You’re signed out here\. Earshot ends the session as soon as/),
  ]);
});
