import { i18n } from '@lingui/core';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { newShareSchema } from '#contract/shares-api.ts';
import type { Share, SharingPolicy } from '#contract/shares.ts';
import { openPolicy } from '#contract/sharing-policy.suite.ts';
import { queryClient } from '#web/api/queries/query-client.ts';
import { clearToasts } from '#web/ui/overlays/toast.tsx';
import { toastQueue } from '#web/ui/overlays/toast-queue.ts';
import { shareFor } from '#web/features/sharing/terms/share.suite.ts';
import type { DelayedCopy } from '#web/ui/dom/delayed-copy.ts';
import { newLinkOf } from './new-link.ts';
import { shareSheet, type ShareTarget } from '#web/features/sharing/signs/open-sheet.ts';
import { quickShare } from './quick-share.ts';

const target: ShareTarget = {
  recordingId: shareFor().recordingId,
  title: 'Seminar',
  durationMs: 60_000,
  isGrowing: false,
  span: null,
};

interface SentRequest {
  method: string;
  path: string;
  body: Record<string, unknown>;
}

/** A server with some links. Returns the requests that were sent to it. */
function stubServer(links: Share[], policy: Partial<SharingPolicy> = {}, failure?: string): SentRequest[] {
  const sent: SentRequest[] = [];
  const stored = [...links];
  const json = (body: unknown, status = 200, type = 'application/json') =>
    new Response(JSON.stringify(body), { status, headers: { 'content-type': type } });
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    const { method = 'GET' } = init;
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : {};
    if (method !== 'GET') sent.push({ method, path: url, body });
    if (method === 'GET') return json({ items: stored, policy: { ...openPolicy, ...policy } });
    if (failure !== undefined)
      return json(
        { type: `/problems/${failure}`, title: '', status: 403, instance: 'urn:uuid:0', code: failure },
        403,
        'application/problem+json',
      );
    if (method === 'DELETE') return json({ ...stored[0], state: 'revoked' });
    const { password, ...settings } = body;
    const created = shareFor({ ...settings, hasPassword: typeof password === 'string' });
    stored.unshift(created);
    return json(created, 201);
  });
  return sent;
}

function stubCopy(isAllowed = true): DelayedCopy & { copied: string[]; isCancelled: () => boolean } {
  const copied: string[] = [];
  let cancelled = false;
  return {
    copied,
    isCancelled: () => cancelled,
    put: async (text) => {
      if (isAllowed) copied.push(text);
      return isAllowed;
    },
    cancel: () => {
      cancelled = true;
    },
  };
}

const toasts = () => toastQueue.visibleToasts.map(({ content }) => content);

beforeEach(() => {
  i18n.loadAndActivate({ locale: 'en', messages: {} });
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  queryClient.clear();
  clearToasts();
  shareSheet.set(null);
});

describe('one press', () => {
  test('creates a link with the defaults of the server, copies it and says what it allows', async () => {
    const sent = stubServer([]);
    const copy = stubCopy();
    await quickShare(target, copy);
    expect(sent.map(({ method, body }) => [method, Object.keys(body)])).toEqual([['POST', ['id']]]);
    expect(newShareSchema.safeParse(sent[0]?.body).success).toBe(true);
    expect(copy.copied).toEqual([shareFor().url]);
    expect(toasts()[0]?.message()).toMatch(
      /^Link copied\. Anyone with the link can listen to the whole recording until .* Listeners can’t download it\.$/,
    );
    expect(shareSheet.getSnapshot()).toBeNull();
  });

  test('Undo revokes the link, and Change opens it in the sheet', async () => {
    const sent = stubServer([]);
    await quickShare(target, stubCopy());
    const [toast] = toasts();
    toast?.secondAction?.onAction();
    expect(shareSheet.getSnapshot()).toMatchObject({
      recordingId: target.recordingId,
      shareId: sent[0]?.body['id'],
    });
    toast?.action?.onAction();
    await vi.waitFor(() => expect(sent.map(({ method }) => method)).toEqual(['POST', 'DELETE']));
  });

  test('shows the links of a recording that is shared already, and creates none', async () => {
    const sent = stubServer([shareFor()]);
    const copy = stubCopy();
    await quickShare(target, copy);
    expect(sent).toEqual([]);
    expect(copy.isCancelled()).toBe(true);
    expect(shareSheet.getSnapshot()).toMatchObject({ shareId: null });
  });

  test('creates a link for a selection, also if the recording is shared already', async () => {
    const sent = stubServer([shareFor()]);
    await quickShare({ ...target, span: { fromMs: 1000, toMs: 5000 } }, stubCopy());
    expect(sent[0]?.body).toMatchObject({ fromMs: 1000, toMs: 5000 });
  });

  test('shows the link in the sheet if the browser does not let it be copied', async () => {
    const sent = stubServer([]);
    await quickShare(target, stubCopy(false));
    expect(shareSheet.getSnapshot()).toMatchObject({ shareId: sent[0]?.body['id'], password: null });
  });

  test('shows the password that the rules require, because it is never shown again', async () => {
    const sent = stubServer([], { isPasswordRequired: true });
    await quickShare(target, stubCopy());
    expect(shareSheet.getSnapshot()?.password).toBe(sent[0]?.body['password']);
    expect(sent[0]?.body['password']).toMatch(/^[\w-]{19}$/);
  });

  test('creates nothing where sharing is turned off, and says so in the sheet', async () => {
    const sent = stubServer([], { links: 'off' });
    await quickShare(target, stubCopy());
    expect(sent).toEqual([]);
    expect(shareSheet.getSnapshot()).toMatchObject({ shareId: null });
  });

  test('reports a failure, and leaves the clipboard as it is', async () => {
    stubServer([], {}, 'sharing-forbidden');
    const copy = stubCopy();
    await quickShare(target, copy);
    expect(copy.isCancelled()).toBe(true);
    expect(toasts()[0]?.message()).toMatch(/^The rules of this server don’t allow this link\./);
  });

  test('offers the link to other apps on a device with a share menu', async () => {
    const offered: unknown[] = [];
    vi.stubGlobal('matchMedia', () => ({ matches: true }));
    vi.stubGlobal('navigator', {
      share: async (data: unknown) => {
        offered.push(data);
      },
    });
    stubServer([]);
    const copy = stubCopy();
    await quickShare(target, copy);
    expect(offered).toEqual([{ url: shareFor().url }]);
    expect(copy.copied).toEqual([]);
    expect(toasts()[0]?.message()).toMatch(/^Link created\./);
  });

  test.each([
    ['AbortError', [], /^Link created\./],
    ['NotAllowedError', [shareFor().url], /^Link copied\./],
  ])(
    'copies the link if no share menu appears, but not if the user closes it: %s',
    async (failure, copied, message) => {
      vi.stubGlobal('matchMedia', () => ({ matches: true }));
      vi.stubGlobal('navigator', { share: () => Promise.reject(new DOMException('', failure)) });
      stubServer([]);
      const copy = stubCopy();
      await quickShare(target, copy);
      expect(copy.copied).toEqual(copied);
      expect(toasts()[0]?.message()).toMatch(message);
    },
  );
});

describe('a new link', () => {
  test('needs no settings by default', () => {
    expect(newLinkOf(target, openPolicy)).toEqual({});
  });

  test('follows a recording that is being made, where the rules allow it', () => {
    expect(newLinkOf({ ...target, isGrowing: true }, openPolicy)).toEqual({
      live: { delayMs: 10_000, isHeldAfterStop: false },
    });
    expect(newLinkOf({ ...target, isGrowing: true }, { ...openPolicy, mayGoLive: false })).toEqual({});
  });

  test('is for users of the server where the rules allow no other', () => {
    expect(newLinkOf(target, { ...openPolicy, links: 'users' })).toEqual({ audience: 'installation' });
  });
});
