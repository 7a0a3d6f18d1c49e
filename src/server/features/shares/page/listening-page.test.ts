import { expect, test } from 'vitest';
import { locales } from '#contract/locales.ts';
import type { SharedRecording } from '#contract/shares.ts';
import { sharedRecording } from '#tests/support/shared-recording.ts';
import { noListeningFiles } from './listening-files.ts';
import { renderEmbeddedPlayer, renderListeningPage, type ListeningView } from './listening-page.ts';
import { renderNoticePage, renderPasswordPage } from './notice-page.ts';

const linkPath = '/s/2345678abcdefghjkmnpqr';
const localeOf = (tag: string) => locales.find((locale) => locale.tag === tag) ?? locales[0];
const nowMs = Date.UTC(2026, 10, 26);

const viewOf = (change: Partial<SharedRecording> = {}, view: Partial<ListeningView> = {}): ListeningView => ({
  locale: localeOf('en'),
  files: noListeningFiles,
  linkPath,
  homeUrl: 'https://ear.example/',
  shareOrigin: 'https://ear.example',
  recording: sharedRecording(change),
  nextLabels: null,
  preview: 'none',
  embed: null,
  nowMs,
  ...view,
});
const pageOf = (change: Partial<SharedRecording> = {}, view: Partial<ListeningView> = {}) =>
  renderListeningPage(viewOf(change, view));

const attack = '</title></script><img src=x onerror=alert(1)>"\'&';

test('S27: shows texts of users as text, wherever they stand', () => {
  const page = pageOf(
    {
      title: attack,
      message: attack,
      owner: attack,
      language: 'en"><script>',
      markers: [{ atMs: 0, label: attack, colour: 'blue' }],
      notes: [{ fromMs: 0, toMs: null, text: attack }],
    },
    { preview: 'text', linkPath: `/s/${attack}` },
  );
  expect(page).not.toContain('<img');
  expect(page).not.toContain('<script');
  expect(page.match(/&lt;img src=x onerror=alert\(1\)&gt;/g)?.length).toBeGreaterThan(5);
});

test('S28: isolates names and titles, and removes characters that reorder text where nothing isolates', () => {
  const page = pageOf({ title: 'a\u202Eb', owner: 'Anna\u202E (owner)' }, { preview: 'text' });
  expect(page).toContain('<bdi translate="no">Anna\u202E (owner)</bdi>');
  expect(page).toContain('<h1 dir="auto" lang="en" translate="no">a\u202Eb</h1>');
  expect(page).toContain('<title>a b · Earshot</title>');
});

test('shows only what the link shows', () => {
  const page = pageOf({
    title: null,
    owner: null,
    recordedTime: null,
    message: '',
    markers: [],
    notes: [],
    gaps: [],
    downloads: [],
    expiresAt: null,
  });
  expect(page).toContain('<h1>Shared recording</h1>');
  expect(page).not.toMatch(
    /Anna|From|Recorded|moments|Notes|Missing audio|Download|open until|class="message"/,
  );
  expect(page).toContain('The sender can see how often this link is opened, but not by whom.');
});

test('works without a script: native player, times as links, downloads and languages', () => {
  const page = pageOf();
  expect(page).toContain(`<audio data-part="audio" controls preload="none"><source src="${linkPath}/audio"`);
  expect(page).toContain(`<source src="${linkPath}/audio?format=m4a" type="audio/mp4">`);
  expect(page).toContain(`href="${linkPath}/audio#t=1.5"`);
  expect(page).toContain(`href="${linkPath}/download?format=mp3"`);
  for (const { tag } of locales) expect(page).toContain(`href="${linkPath}?lang=${tag}"`);
  expect(page).toMatch(/<div class="stage" hidden>/);
});

test('gives sound of more than twelve hours in sections, and their times lead into them', () => {
  const hourMs = 3_600_000;
  const page = pageOf({
    durationMs: 13 * hourMs,
    markers: [{ atMs: 12.5 * hourMs, label: 'Late', colour: 'blue' }],
  });
  expect(page.match(/<audio /g)).toHaveLength(2);
  expect(page.match(/data-part="audio"/g)).toHaveLength(1);
  expect(page).toMatch(/12:00:00–13:00:00<[^]*<source src="[^"]*\/audio\?section=1" type="audio\/ogg/);
  expect(page).toContain(`<source src="${linkPath}/audio?format=m4a#t=43200,46800" type="audio/mp4">`);
  expect(page).toContain(`href="${linkPath}/audio?section=1#t=1800"`);
  expect(page).toContain(`href="${linkPath}/audio?section=0#t=8"`);
});

test('lists small gaps close to each other as one, draws each, and never says that a gap is 0 seconds long', () => {
  const cause = 'browser-busy';
  const page = pageOf({
    gaps: [
      { atMs: 1000, durationMs: 110, cause },
      { atMs: 4000, durationMs: 150, cause },
      { atMs: 40_000, durationMs: 30, cause },
    ],
  });
  expect(page.match(/<li>.*?<\/li>/gu)?.filter((item) => item.includes('Browser was too busy'))).toHaveLength(
    2,
  );
  expect(page).toMatch(/about 0\.3 seconds in small pieces until .?00:04/u);
  expect(page).toContain('30 milliseconds');
  for (const atMs of [1000, 4000, 40_000]) expect(page).toContain(`data-gap-ms="${atMs}"`);
});

test('offers M4A only where the link has it, and once it is complete', () => {
  const source = 'type="audio/mp4"';
  expect(pageOf({ hasM4a: false })).not.toContain(source);
  expect(pageOf({ hasM4a: true, state: 'live' })).not.toContain(source);
  expect(pageOf({ hasM4a: true })).toContain(source);
});

test('starts a limited listen only by a press', () => {
  expect(pageOf()).not.toContain(`${linkPath}/listens`);
  expect(pageOf({ isCounted: true })).toContain(
    `<form class="start" method="post" action="${linkPath}/listens?lang=en">`,
  );
});

test.each(['not-started', 'preparing', 'held', 'failed'] as const)(
  'explains why there is nothing to play yet: %s',
  (state) => {
    const page = pageOf({ state });
    expect(page).not.toContain('<audio');
    expect(page).toContain(`data-state="${state}"`);
    expect(page).toContain('<h2>');
  },
);

test('marks a live recording and leads to its end', () => {
  expect(pageOf({ state: 'live' })).toMatch(
    /data-part="live">Live now<[^]*data-part="go-live">Jump to live</,
  );
  expect(pageOf()).not.toContain('Live now');
});

test('shows the end of the link as a date, and a near one with its time', () => {
  expect(pageOf()).toContain(
    '<time datetime="2026-12-24T12:00:00.000Z" data-date="day">24 December 2026</time>'.replace(
      '24 December 2026',
      new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format(Date.UTC(2026, 11, 24)),
    ),
  );
  expect(pageOf({ expiresAt: '2026-11-26T18:00:00.000Z' })).toMatch(/data-date="time">[^<]*UTC<\/time>/);
});

test.each(locales.map(({ tag }) => tag).filter((tag) => tag !== 'en'))(
  'is in %s from the first word to the last',
  (tag) => {
    const everything = (wanted: string) => {
      const locale = localeOf(wanted);
      const frame = viewOf({}, { locale });
      const recording = {
        title: null,
        message: '',
        owner: null,
        recordedTime: null,
        downloads: ['original' as const],
        markers: [{ atMs: 0, label: '', colour: 'blue' as const }],
        notes: [],
      };
      return [
        pageOf({ ...recording, state: 'live', isCounted: true }, { locale }),
        ...(['not-started', 'preparing', 'held', 'failed'] as const).map((state) =>
          pageOf({ ...recording, state }, { locale }),
        ),
        renderEmbeddedPlayer(viewOf(recording, { locale })),
        renderPasswordPage(frame, 'wrongPassword'),
        ...(
          [
            'expired',
            'revoked',
            'used-up',
            'unavailable',
            'unknown',
            'notForYou',
            'signIn',
            'tooMany',
          ] as const
        ).map((kind) => renderNoticePage(frame, { kind, signInUrl: '/sign-in' })),
      ].join('\n');
    };
    const textsOf = (page: string) =>
      page
        .replaceAll(/<ul translate="no">[^]*?<\/ul>/g, '')
        .split(/<[^>]*>|&quot;/)
        .map((text) => text.trim())
        .filter((text) => /\p{L}{2}/u.test(text) && !/Earshot|^[a-zA-Z]+$|^\W*\d|\/s\//.test(text));
    const english = new Set(textsOf(everything('en')));
    expect(textsOf(everything(tag)).filter((text) => english.has(text))).toEqual([]);
    expect(everything(tag)).toContain(`<html lang="${tag}" dir="${localeOf(tag).dir}">`);
  },
);

test('has preview tags only where the link allows previews', () => {
  expect(pageOf()).not.toContain('og:');
  const page = pageOf({}, { preview: 'text' });
  expect(page).toContain('<meta property="og:title" content="Ask not what your country can do for you">');
  expect(page).toContain(`<meta property="og:image" content="https://ear.example${linkPath}/card.png">`);
  expect(page).not.toContain('og:audio');
  expect(pageOf({}, { preview: 'sound' })).toContain('og:audio');
});

test('leads to oEmbed only where the player may be embedded', () => {
  expect(pageOf({}, { preview: 'text' })).not.toContain('oembed');
  expect(pageOf({}, { embed: 'any' })).toContain(
    `href="https://ear.example/oembed?url=${encodeURIComponent(`https://ear.example${linkPath}`)}"`,
  );
});

test('S32: the embedded player writes nothing: no form, no password, no limited listen', () => {
  const page = renderEmbeddedPlayer(viewOf({ isCounted: true }, { embed: ['https://blog.example'] }));
  expect(page).not.toMatch(/<form|<input|Choose a language|\/listens/);
  expect(page).toContain('https://blog.example');
});

test('asks for the password without a word about the recording', () => {
  const page = renderPasswordPage(viewOf(), null);
  expect(page).toContain(`<form class="notice" method="post" action="${linkPath}/unlock?lang=en">`);
  expect(page).not.toMatch(/Ask not|Anna|audio/);
  expect(page).not.toContain('aria-invalid');
  expect(renderPasswordPage(viewOf(), 'wrongPassword')).toContain('aria-invalid="true"');
});
