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
import { shareSheet, type ShareTarget } from '#web/features/sharing/signs/open-sheet.ts';
import { createAndPassOn } from './create-and-pass-on.ts';

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

/** Copies the link of a sheet that shows its settings. */
const copyLink = (
  copy: DelayedCopy,
  { password, to = target }: { password?: string; to?: ShareTarget } = {},
) => {
  shareSheet.set({ ...to, shareId: null, password: null });
  return createAndPassOn(to, { id: shareFor().id, ...(password === undefined ? {} : { password }) }, copy);
};

describe('Copy link', () => {
  test('creates the link, copies it, closes the sheet and says in a few words who can listen', async () => {
    const sent = stubServer([]);
    const copy = stubCopy();
    await copyLink(copy);
    expect(sent.map(({ method, body }) => [method, Object.keys(body)])).toEqual([['POST', ['id']]]);
    expect(newShareSchema.safeParse(sent[0]?.body).success).toBe(true);
    expect(copy.copied).toEqual([shareFor().url]);
    expect(toasts()[0]?.message()).toMatch(
      /^Link copied\. Anyone with the link can listen to the whole recording until [^.]*\.$/,
    );
    expect(shareSheet.getSnapshot()).toBeNull();
  });

  test('Undo revokes the link, and Change opens it in the sheet', async () => {
    const sent = stubServer([]);
    await copyLink(stubCopy());
    const [toast] = toasts();
    toast?.secondAction?.onAction();
    expect(shareSheet.getSnapshot()).toMatchObject({
      recordingId: target.recordingId,
      shareId: sent[0]?.body['id'],
    });
    toast?.action?.onAction();
    await vi.waitFor(() => expect(sent.map(({ method }) => method)).toEqual(['POST', 'DELETE']));
  });

  test('shows the link in the sheet if the browser does not let it be copied', async () => {
    const sent = stubServer([]);
    await copyLink(stubCopy(false));
    expect(shareSheet.getSnapshot()).toMatchObject({ shareId: sent[0]?.body['id'], password: null });
  });

  test('shows the password in the sheet, because it is never shown again', async () => {
    stubServer([]);
    await copyLink(stubCopy(), { password: 'ferry lantern oats' });
    expect(shareSheet.getSnapshot()?.password).toBe('ferry lantern oats');
  });

  test('leaves the clipboard and the sheet as they are after a failure', async () => {
    stubServer([], {}, 'sharing-forbidden');
    const copy = stubCopy();
    await expect(copyLink(copy)).rejects.toMatchObject({ code: 'sharing-forbidden' });
    expect(copy.isCancelled()).toBe(true);
    expect(shareSheet.getSnapshot()).not.toBeNull();
  });

  test('says of a live link that listeners hear the recording, and how late', async () => {
    vi.stubGlobal(
      'fetch',
      async () =>
        new Response(JSON.stringify(shareFor({ live: { delayMs: 10_000, isHeldAfterStop: false } })), {
          status: 201,
          headers: { 'content-type': 'application/json' },
        }),
    );
    await copyLink(stubCopy(), { to: { ...target, isGrowing: true } });
    expect(toasts()[0]?.message()).toBe(
      'Link copied. Listeners hear the recording while it’s being made. Delay: 10 seconds.',
    );
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
    await copyLink(copy);
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
      await copyLink(copy);
      expect(copy.copied).toEqual(copied);
      expect(toasts()[0]?.message()).toMatch(message);
    },
  );
});
