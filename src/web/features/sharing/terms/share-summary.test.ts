import { i18n } from '@lingui/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { locales } from '#contract/locales.ts';
import type { Share } from '#contract/shares.ts';
import { loadMessages } from '#web/i18n/catalogues.ts';
import { formatsFor } from '#web/i18n/format.ts';
import { regionalLocale } from '#web/i18n/regional-locale.ts';
import { shareFor } from './share.suite.ts';
import { summaryOf } from './share-summary.ts';

/** Every combination of what a link can allow. */
const anyShare = fc
  .record({
    audience: fc.constantFrom('anyone', 'installation', 'named'),
    hasPassword: fc.boolean(),
    fromMs: fc.constantFrom(0, 720_000, 720_250),
    toMs: fc.constantFrom(null, 870_000, 7_512_300),
    download: fc.constantFrom('off', 'audio', 'formats', 'original'),
    expiresAt: fc.constantFrom(null, '2026-12-24T12:00:00.000Z'),
    maxListens: fc.constantFrom(null, 1, 12),
    live: fc.constantFrom(
      null,
      { delayMs: 0 as const, isHeldAfterStop: false },
      { delayMs: 10_000 as const, isHeldAfterStop: true },
    ),
    isReleased: fc.boolean(),
    embed: fc.constantFrom<Share['embed'][]>(null, 'any', ['https://blog.example']),
    preview: fc.constantFrom('none', 'text', 'sound'),
    shows: fc.record({
      title: fc.boolean(),
      owner: fc.boolean(),
      date: fc.boolean(),
      markers: fc.boolean(),
      notes: fc.boolean(),
      gaps: fc.boolean(),
    }),
    state: fc.constantFrom('active', 'suspended', 'expired', 'used-up', 'revoked'),
    suspendedBy: fc.constantFrom(null, 'trash', 'restore', 'owner-disabled', 'policy'),
  })
  .map((facts) => shareFor(facts));

const growth = fc.constantFrom(true, false, null);

async function activate(locale: string): Promise<void> {
  i18n.loadAndActivate({ locale, messages: await loadMessages(locale, 'first') });
}
const english = (share: Share, isGrowing: boolean | null = false): string =>
  summaryOf(share, { i18n, isGrowing })
    .join(' ')
    .replaceAll(/\p{Cf}/gu, '');

describe('in English', () => {
  test('says who can listen to what until when, and that downloads are off', async () => {
    await activate('en');
    const at = new Date(2026, 11, 24, 13).toISOString();
    const day = formatsFor(regionalLocale('en')).dateTime(at);
    const links = [
      shareFor({ expiresAt: at, fromMs: 720_000, toMs: 870_000 }),
      shareFor({ expiresAt: null, hasPassword: true, download: 'audio' }),
      shareFor({ expiresAt: at, audience: 'installation', hasPassword: true, maxListens: 1 }),
    ].map((share) => english({ ...share, shows: { ...share.shows, title: false, owner: false } }));
    expect(links).toEqual([
      `Anyone with the link can listen to 12:00–14:30 until ${day}. Listeners can’t download it.`,
      'Anyone with the link and its password can listen to the whole recording. The link doesn’t expire. Listeners can download it.',
      `Anyone with the link and an account on this server can listen to the whole recording until ${day}. Listeners also need the password. Listeners can’t download it. Limit of listens: 1.`,
    ]);
  });

  test('never says more than the settings allow', async () => {
    await activate('en');
    fc.assert(
      fc.property(anyShare, growth, (share, isGrowing) => {
        const text = english(share, isGrowing);
        const isActive = share.state === 'active';
        const isWhole = share.fromMs === 0 && share.toMs === null;
        const isOnly = (phrase: RegExp, isTrue: boolean) =>
          expect([phrase.test(text), text]).toEqual([isActive && isTrue, text]);
        isOnly(/^Anyone with the link can/, share.audience === 'anyone' && !share.hasPassword);
        isOnly(/an account on this server/, share.audience === 'installation');
        isOnly(/^Only the people you name/, share.audience === 'named');
        isOnly(/password/, share.hasPassword);
        isOnly(/the whole recording/, isWhole);
        isOnly(/12:00(\.\d)?–/, share.fromMs >= 720_000);
        isOnly(/–14:30/, share.toMs === 870_000);
        isOnly(/doesn’t expire/, share.expiresAt === null);
        isOnly(/can’t download/, share.download === 'off');
        isOnly(/can download/, share.download !== 'off');
        isOnly(/several formats/, share.download === 'formats' || share.download === 'original');
        isOnly(/original file/, share.download === 'original');
        isOnly(/while it’s being made/, isGrowing === true && share.live !== null);
        isOnly(/nothing until the recording is finished/, isGrowing === true && share.live === null);
        isOnly(/until you open it/, share.live?.isHeldAfterStop === true && !share.isReleased);
        isOnly(/Limit of listens/, share.maxListens !== null);
        isOnly(/Notes/, share.shows.notes);
        isOnly(/Markers/, share.shows.markers);
        isOnly(/[Ww]ebsite/, share.embed !== null);
        isOnly(/Any website/, share.embed === 'any');
        isOnly(/preview/, share.preview !== 'none');
        isOnly(/can play it/, share.preview === 'sound');
        isOnly(/(?<!No one )can listen/, true);
      }),
      { numRuns: 2000 },
    );
  });

  test('says of a link that does not work only why', async () => {
    await activate('en');
    expect(
      [
        shareFor({ state: 'revoked' }),
        shareFor({ state: 'used-up' }),
        shareFor({ state: 'suspended', suspendedBy: 'trash' }),
        shareFor({ state: 'suspended', suspendedBy: 'restore' }),
        shareFor({ state: 'suspended', suspendedBy: 'owner-disabled' }),
        shareFor({ state: 'suspended', suspendedBy: 'policy' }),
        shareFor({ state: 'suspended' }),
        shareFor({ state: 'expired', expiresAt: null }),
      ].map((share) => english(share)),
    ).toEqual([
      'The link is revoked. No one can use it.',
      'The link is used up. No one can listen until you allow more listens.',
      'The link doesn’t work, because the recording is in the trash.',
      'The link is off, because the recording was in the trash.',
      'The link doesn’t work, because its account is turned off.',
      'The link doesn’t work, because the rules of this server don’t allow it.',
      'The link doesn’t work at the moment.',
      'The link has expired.',
    ]);
  });
});

describe.each(locales.map(({ tag }) => tag))('in %s', (tag) => {
  test('links with different terms have different summaries, with the part and the end', async () => {
    await activate(tag);
    const variants: Partial<Share>[] = [
      {},
      { hasPassword: true },
      { audience: 'installation' },
      { audience: 'installation', hasPassword: true },
      { audience: 'named' },
      { fromMs: 720_000, toMs: 870_000 },
      { fromMs: 720_000, toMs: 870_000, hasPassword: true },
      { fromMs: 720_000, toMs: 870_000, audience: 'installation' },
      { fromMs: 720_000, toMs: 870_000, audience: 'named' },
      { download: 'audio' },
      { download: 'formats' },
      { download: 'original' },
      { maxListens: 3 },
      { live: { delayMs: 0, isHeldAfterStop: false } },
      { live: { delayMs: 10_000, isHeldAfterStop: false } },
      { live: { delayMs: 10_000, isHeldAfterStop: true } },
      { embed: 'any' },
      { embed: ['https://blog.example'] },
      { preview: 'text' },
      { preview: 'sound' },
      { state: 'revoked' },
      { state: 'expired' },
      { state: 'used-up' },
      { state: 'suspended' },
      { state: 'suspended', suspendedBy: 'trash' },
      { state: 'suspended', suspendedBy: 'restore' },
      { state: 'suspended', suspendedBy: 'policy' },
      { state: 'suspended', suspendedBy: 'owner-disabled' },
    ];
    const ends = [null, '2026-12-24T12:00:00.000Z'];
    const texts = ends.flatMap((expiresAt) =>
      variants
        .filter(({ state }) => expiresAt !== null || state === undefined)
        .map((facts) =>
          summaryOf(shareFor({ ...facts, expiresAt }), { i18n, isGrowing: true })
            .join(' ')
            .replaceAll(/\p{Cf}/gu, ''),
        ),
    );
    expect(new Set(texts).size).toBe(texts.length);
    expect(texts.filter((text) => text.includes('12:00–14:30'))).toHaveLength(8);
    expect(texts.filter((text) => /[{}]|undefined/.test(text))).toEqual([]);
  });
});
