import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { day } from '#base/duration.ts';
import { msOf } from '#base/labels/label-time.ts';
import { changeShare } from '#contract/shares-api.ts';
import type { Share, SharingPolicy } from '#contract/shares.ts';
import { openPolicy } from '#contract/sharing-policy.suite.ts';
import { shareFor } from './share.suite.ts';
import { formOf, isNewAddress, offersOf, readForm, termsAfter, type ShareForm } from './share-form.ts';
import { writeTime } from './write-time.ts';

const nowMs = Date.parse('2026-11-26T12:00:00.000Z');
const context = (
  share: Share,
  policy: SharingPolicy = openPolicy,
  durationMs: number | null = 3_600_000,
) => ({
  share,
  policy,
  durationMs,
  nowMs,
});
const edited = (share: Share, fields: Partial<ShareForm>, policy = openPolicy) =>
  readForm({ ...formOf(share, null), ...fields }, context(share, policy));

describe('the form of a link', () => {
  test('changes nothing until something is changed', () => {
    const links = [
      shareFor(),
      shareFor({ fromMs: 720_004, toMs: 870_500, audience: 'named', people: ['eve@example.org'] }),
      shareFor({ embed: ['https://blog.example'], preview: 'text' }),
      shareFor({ hasPassword: true, expiresAt: null, download: 'formats', maxListens: 3 }),
    ];
    for (const share of links) expect(edited(share, {})).toEqual({ problems: null, changes: {} });
  });

  test('sends only what was changed, as the contract expects it', () => {
    const share = shareFor();
    const { changes } = edited(share, {
      isPart: true,
      from: '12:00',
      to: '14:30',
      expiry: 7,
      maxListens: '١٢',
      recipientLabel: ' Eve ',
    });
    expect(changes).toEqual({
      fromMs: 720_000,
      toMs: 870_000,
      expiresAt: new Date(nowMs + 7 * day).toISOString(),
      maxListens: 12,
      recipientLabel: 'Eve',
    });
    expect(changeShare.body?.safeParse({ revision: 1, ...changes }).success).toBe(true);
  });

  test('suggests the selection when a part is chosen instead of the whole recording', () => {
    expect(formOf(shareFor(), { fromMs: 1000, toMs: 61_500 })).toMatchObject({
      isPart: false,
      from: '0:01',
      to: '1:01.5',
    });
  });

  test('shows the websites of a link on one line, and reads them from it', () => {
    const share = shareFor({ embed: ['https://a.example', 'https://b.example'] });
    const { origins } = formOf(share, null);
    expect(origins).not.toContain('\n');
    expect(edited(share, { origins: `${origins}, c.example` }).changes).toEqual({
      embed: ['https://a.example', 'https://b.example', 'https://c.example'],
    });
  });

  test('reads websites as origins, and rejects what is no website', () => {
    const { changes } = edited(shareFor(), {
      embed: 'listed',
      origins: 'blog.example/a/page, http://localhost:8080',
    });
    expect(changes).toEqual({ embed: ['https://blog.example', 'http://localhost:8080'] });
    expect(edited(shareFor(), { embed: 'listed', origins: 'ftp://blog.example' }).problems).toEqual({
      origins: 'address',
    });
    expect(edited(shareFor(), { embed: 'listed', origins: ' ' }).problems).toEqual({ origins: 'empty' });
  });

  test.each<[string, Partial<ShareForm>, object]>([
    ['no time', { isPart: true, from: 'noon' }, { from: 'time' }],
    ['an end before the start', { isPart: true, from: '2:00', to: '1:00' }, { to: 'order' }],
    ['less than a second', { isPart: true, from: '2:00', to: '2:00.9' }, { to: 'order' }],
    ['an end after the recording', { isPart: true, from: '0:00', to: '1:00:01' }, { to: 'beyond-end' }],
    ['a start after the recording', { isPart: true, from: '2:00:00', to: '' }, { from: 'beyond-end' }],
    ['a short password', { password: 'short' }, { password: 'length' }],
    ['no number', { maxListens: 'many' }, { maxListens: 'number' }],
    ['no listens', { maxListens: '0' }, { maxListens: 'number' }],
    ['no people', { audience: 'named', people: '' }, { people: 'empty' }],
    ['no email address', { audience: 'named', people: 'Eve' }, { people: 'email' }],
  ])('rejects %s', (_, fields, problems) => {
    expect(edited(shareFor(), fields)).toEqual({ problems, changes: null });
  });
});

describe('what a form offers', () => {
  const offers = (fields: Partial<ShareForm>, policy: Partial<SharingPolicy> = {}, share = shareFor()) =>
    offersOf({ ...formOf(share, null), ...fields }, { share, policy: { ...openPolicy, ...policy } });

  test('follows the rules of the server', () => {
    expect(offers({}).downloads).toEqual(['off', 'audio', 'formats', 'original']);
    expect(offers({}, { mayDownloadOriginal: false }).downloads).toEqual(['off', 'audio', 'formats']);
    expect(offers({}, { mayDownload: false }).downloads).toEqual(['off']);
    expect(offers({}, { mayEmbed: false }).mayEmbed).toBe(false);
    expect(offers({}, { mayPreview: false }).mayPreview).toBe(false);
    expect(offers({}, { isPasswordRequired: true }).mayRemovePassword).toBe(false);
  });

  test('never offers the original file with a part', () => {
    expect(offers({ isPart: true }).downloads).not.toContain('original');
  });

  test('offers websites and previews only for links that anyone can open', () => {
    const locked = [
      offers({ password: 'k7mq-3fzx-9tpd-w2hc' }),
      offers({ audience: 'installation' }),
      offers({}, {}, shareFor({ hasPassword: true })),
    ];
    for (const { mayEmbed, mayPreview } of locked) expect([mayEmbed, mayPreview]).toEqual([false, false]);
    expect(offers({ password: null }, {}, shareFor({ hasPassword: true })).mayEmbed).toBe(true);
  });

  test('a change withdraws what is not offered any more', () => {
    const share = shareFor({ download: 'original', embed: 'any', preview: 'sound' });
    expect(
      edited(share, { isPart: true, from: '0:00', to: '1:00', password: 'k7mq-3fzx-9tpd-w2hc' }),
    ).toEqual({
      problems: null,
      changes: {
        toMs: 60_000,
        download: 'formats',
        embed: null,
        preview: 'none',
        password: 'k7mq-3fzx-9tpd-w2hc',
      },
    });
  });
});

describe('the terms after a change', () => {
  test('tell an extended or raised link from one that stays ended', () => {
    const expired = shareFor({ state: 'expired', expiresAt: '2026-11-01T00:00:00.000Z' });
    expect(termsAfter(expired, {}, nowMs)?.state).toBe('expired');
    expect(termsAfter(expired, { expiresAt: '2026-12-01T00:00:00.000Z' }, nowMs)?.state).toBe('active');
    const usedUp = shareFor({ state: 'used-up', maxListens: 2, listenCount: 2 });
    expect(termsAfter(usedUp, {}, nowMs)?.state).toBe('used-up');
    expect(termsAfter(usedUp, { maxListens: 3 }, nowMs)?.state).toBe('active');
    const inTrash = shareFor({ state: 'suspended', suspendedBy: 'trash' });
    expect(termsAfter(inTrash, { maxListens: 3 }, nowMs)?.state).toBe('suspended');
  });

  test('are not claimed for a link that a rule suspends, because the change may satisfy the rule', () => {
    const suspended = shareFor({ state: 'suspended', suspendedBy: 'policy' });
    expect(termsAfter(suspended, { password: 'k7mq-3fzx' }, nowMs)).toBeNull();
  });

  test('follow the password', () => {
    expect(termsAfter(shareFor(), { password: 'k7mq-3fzx' }, nowMs)?.hasPassword).toBe(true);
    expect(termsAfter(shareFor({ hasPassword: true }), { password: null }, nowMs)?.hasPassword).toBe(false);
    expect(termsAfter(shareFor({ hasPassword: true }), {}, nowMs)?.hasPassword).toBe(true);
  });
});

test('a version that differs by more than its address may have another password', () => {
  const before = shareFor({ hasPassword: true });
  const url = 'https://earshot.example/s/7A8B7C6D5E4F3G2H1J9A8B';
  expect(isNewAddress(before, { ...before, revision: 2, url })).toBe(true);
  expect(isNewAddress(before, { ...before, revision: 2 })).toBe(false);
  expect(isNewAddress(before, { ...before, revision: 3, url })).toBe(false);
});

test('a written time is read as the same millisecond', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 400_000_000 }), (ms) => {
      expect(msOf(writeTime(ms))).toBe(ms);
    }),
  );
  expect([0, 7250, 720_000, 3_723_000].map(writeTime)).toEqual(['0:00', '0:07.25', '12:00', '1:02:03']);
});
