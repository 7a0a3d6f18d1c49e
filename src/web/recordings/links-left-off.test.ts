import { i18n } from '@lingui/core';
import { beforeEach, expect, test, vi } from 'vitest';
import { toastQueue } from '#web/ui/overlays/toast-queue.ts';
import { dismissToastsAbout } from '#web/ui/overlays/toast.tsx';
import { reportLinksLeftOff } from './links-left-off.ts';

const scope = vi.hoisted(() => ({ userId: 'ana' as string | null, onSessionEnd: () => undefined }));
vi.mock('#web/api/user-scope.ts', async (original) => {
  const { createStore } = await import('#base/store.ts');
  const quiet = { onUserLeft: () => undefined, follow: () => undefined };
  return { ...(await original<object>()), userScope: Object.assign(scope, quiet, { createStore }) };
});
i18n.loadAndActivate({ locale: 'en', messages: {} });

const links = [
  { id: 'off', recordingId: 'r', suspendedBy: 'restore', revision: 3 },
  { id: 'rule', recordingId: 'r', suspendedBy: 'policy', revision: 1 },
  { id: 'other', recordingId: 'other', suspendedBy: 'restore', revision: 1 },
];
let sent: string[] = [];
let status = 200;

beforeEach(() => {
  vi.stubEnv('DEV', false);
  toastQueue.clear();
  [sent, status, scope.userId] = [[], 200, 'ana'];
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', body }: RequestInit = {}) => {
    sent.push([method, url, ...(typeof body === 'string' ? [body] : [])].join(' '));
    return Response.json({ items: links }, { status });
  });
});

const shown = () => toastQueue.visibleToasts.map(({ content }) => content.message());

test('names the links that the restore left off, and turns on only those', async () => {
  await reportLinksLeftOff(['r']);
  expect(shown()).toHaveLength(1);
  toastQueue.visibleToasts[0]?.content.action?.onAction();
  await vi.waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]).toBe('PATCH /api/shares/off {"revision":3,"isOn":true}');
});

test('says nothing without such a link, without an account, and without an answer', async () => {
  await reportLinksLeftOff(['unshared']);
  status = 401;
  await reportLinksLeftOff(['r']);
  scope.userId = null;
  await reportLinksLeftOff(['r']);
  expect([shown(), sent.length]).toEqual([[], 2]);
});

test('its message goes when the recording goes to the trash', async () => {
  await reportLinksLeftOff(['r']);
  dismissToastsAbout(['other']);
  expect(shown()).toHaveLength(1);
  dismissToastsAbout(['r']);
  expect(shown()).toEqual([]);
});
