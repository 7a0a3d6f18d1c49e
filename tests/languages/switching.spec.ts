import type { Page } from '@playwright/test';
import type { locales } from '#contract/locales.ts';
import { cookieHeader } from '#tests/support/cookie-header.ts';
import { uploadLongRecording } from '#tests/support/long-recording.ts';
import { expect, openBrowser, test } from '#tests/e2e/earshot-test.ts';
import {
  clockMs,
  expectWhole,
  isSignedIn,
  onlyReadyRecording,
  signIn,
  signUp,
  startTake,
  stopTake,
} from '#tests/e2e/steps.ts';
import { chooseInPicker, showLanguage } from './in-every-language.ts';

const switches = 20;
/** A tour through all kinds of scripts and back to English. */
const tour = [
  'de',
  'ar',
  'ja',
  'ur',
  'hi',
  'he',
  'zh-Hans',
  'ru',
  'fa',
  'fi',
  'bn',
  'ko',
  'fr',
  'tr',
  'es',
  'id',
  'pl',
  'sw',
  'uk',
  'en',
] satisfies (typeof locales)[number]['tag'][];

/**
 * Waits for the take's clock to show another tenth. Its value is then exact, except for the frame in which it was
 * drawn.
 */
async function clockTick(page: Page): Promise<{ shownMs: number; wallMs: number }> {
  return page.evaluate(
    () =>
      new Promise<{ shownMs: number; wallMs: number }>((resolve) => {
        const read = () =>
          (document.querySelector('[role=timer]')?.textContent ?? '').replaceAll(/[^\d:.]/g, '');
        const before = read();
        const look = (wallMs: number) => {
          const now = read();
          if (now === before) requestAnimationFrame(look);
          else
            resolve({
              shownMs: Math.round(now.split(':').reduce((sum, part) => sum * 60 + Number(part), 0) * 1000),
              wallMs,
            });
        };
        requestAnimationFrame(look);
      }),
  );
}

test('twenty language switches during a take lose no audio and no focus, and cause no reload', async ({
  page,
}) => {
  expect(tour).toHaveLength(switches);
  await signUp(page);
  await startTake(page);
  await page.evaluate(() => {
    const stop = [...document.querySelectorAll('main button')].find(
      (button) => button.getAttribute('aria-label') === 'Stop' || button.textContent === 'Stop',
    );
    Object.assign(globalThis, { stopBefore: stop });
  });
  const started = await clockTick(page);
  for (const tag of tour) {
    await chooseInPicker(page, tag);
    // The popover returns the focus to the button that opened it.
    await expect(page.locator('button[aria-haspopup="dialog"]:has(bdi[lang])')).toBeFocused();
  }
  const ended = await clockTick(page);
  // The rule is 100 ms. The additional 50 ms are three frames, for the frame in which each of the two ticks was
  // seen.
  expect(Math.abs(ended.shownMs - started.shownMs - (ended.wallMs - started.wallMs))).toBeLessThanOrEqual(
    150,
  );
  expect(
    await page.evaluate(() => {
      const before: unknown = Reflect.get(globalThis, 'stopBefore');
      return before instanceof HTMLButtonElement && before.isConnected;
    }),
  ).toBe(true);
  const spokenMs = await clockMs(page);
  await stopTake(page);
  await expectWhole(page, await onlyReadyRecording(page), spokenMs);
});

test('twenty language switches during playback neither pause nor shift it', async ({
  page,
  browserContext,
  server,
}) => {
  await page.addInitScript(() => {
    const heard: string[] = [];
    const play: unknown = Object.getOwnPropertyDescriptor(HTMLMediaElement.prototype, 'play')?.value;
    if (typeof play !== 'function') throw new Error('this browser cannot play media');
    HTMLMediaElement.prototype.play = function playAndListen(this: HTMLMediaElement) {
      Object.assign(globalThis, { heard, playing: this });
      for (const type of ['pause', 'seeking', 'ended', 'emptied', 'ratechange'])
        this.addEventListener(type, () => {
          heard.push(type);
        });
      return Reflect.apply(play, this, []) as Promise<void>;
    };
  });
  await signUp(page);
  const id = await uploadLongRecording(server.url, await cookieHeader(browserContext, server.url));
  await onlyReadyRecording(page);
  await page.goto(`/recordings/${id}`);
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  const measure = () =>
    page.evaluate(() => {
      const element: unknown = Reflect.get(globalThis, 'playing');
      if (!(element instanceof HTMLMediaElement)) throw new Error('nothing is playing');
      return {
        atMs: element.currentTime * 1000,
        wallMs: performance.now(),
        isPaused: element.paused,
        heard: [...(Reflect.get(globalThis, 'heard') as string[])],
      };
    });
  await expect.poll(async () => (await measure()).atMs).toBeGreaterThan(1000);
  const started = await measure();
  for (const tag of tour) {
    await chooseInPicker(page, tag);
    expect((await measure()).isPaused).toBe(false);
  }
  const ended = await measure();
  expect(ended.heard.slice(started.heard.length)).toEqual([]);
  // The rule is 50 ms. A media element's position advances in steps of its output buffer, here up to 20 ms at
  // either end.
  expect(Math.abs(ended.atMs - started.atMs - (ended.wallMs - started.wallMs))).toBeLessThanOrEqual(90);
});

test('an open dialog and the text typed in it survive a language switch', async ({ page }) => {
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  const dialog = page.getByRole('dialog');
  const field = dialog.locator('input[name=email]');
  await field.fill('somebody@example.org');
  await field.evaluate((input: HTMLInputElement) => {
    Object.assign(globalThis, { fieldBefore: input });
  });
  for (const tag of ['ar', 'ja', 'de']) {
    await showLanguage(page, tag);
    await expect(dialog).toBeVisible();
    await expect(field).toBeFocused();
    await expect(field).toHaveValue('somebody@example.org');
  }
  expect(await field.evaluate((input) => input === Reflect.get(globalThis, 'fieldBefore'))).toBe(true);
});

test('an open toast and tooltip change language too', async ({ page, browserContext, server }) => {
  await signUp(page);
  await uploadLongRecording(server.url, await cookieHeader(browserContext, server.url));
  const { title } = await onlyReadyRecording(page);
  await page.goto('/library');
  await page.getByRole('link', { name: title }).focus();
  await page.keyboard.press('Delete');
  await expect(page.getByText(/^Moved .* to the trash$/)).toBeVisible();
  await page.getByRole('button', { name: 'Keyboard shortcuts', exact: true }).hover();
  const tip = page
    .locator('[aria-hidden=true]')
    .filter({ hasText: /^(Keyboard shortcuts|Tastenkürzel|اختصارات)/ });
  await expect(tip).toHaveText(/^Keyboard shortcuts/);
  await showLanguage(page, 'de');
  await expect(page.getByText(/in den Papierkorb verschoben$/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Rückgängig', exact: true })).toBeVisible();
  await expect(tip).toHaveText(/^Tastenkürzel/);
});

test('a language switch keeps the scroll position and a half-typed title', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 500 });
  await signUp(page);
  await page.goto('/settings/security');
  const heading = page.locator('main h2').nth(1);
  await heading.evaluate((element) => {
    element.scrollIntoView({ block: 'center' });
  });
  const top = () => heading.evaluate((element) => element.getBoundingClientRect().top);
  const before = await top();
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(50);
  for (const tag of ['fi', 'ja', 'ar', 'en']) {
    await showLanguage(page, tag);
    // The content above differs in length between languages, so the browser keeps the visible part in place.
    expect(Math.abs((await top()) - before)).toBeLessThan(250);
    await expect(heading).toBeInViewport();
  }
  await page.goto('/');
  const title = page.locator('main input').first();
  await title.fill('Half a ti');
  await title.press('ArrowLeft');
  await showLanguage(page, 'he');
  await expect(title).toBeFocused();
  expect(await title.evaluate((input: HTMLInputElement) => [input.value, input.selectionStart])).toEqual([
    'Half a ti',
    8,
  ]);
});

test('other tabs and devices of the account change language immediately, a new device when it signs in', async ({
  page,
  browserContext,
  server,
  consoleGuard,
}, info) => {
  consoleGuard.allow(/401/);
  const user = await signUp(page);
  const tab = await browserContext.newPage();
  await tab.goto('/library');
  const device = await openBrowser({ profile: info.outputPath('device'), baseURL: server.url, locale: 'fr' });
  const there = device.pages()[0] ?? (await device.newPage());
  await there.goto('/');
  await expect(there.locator('html')).toHaveAttribute('lang', 'fr');
  const form = there.locator('form').filter({ has: there.locator('input[name=email]') });
  await there.goto('/sign-in');
  await form.locator('input[name=email]').fill(user.email);
  await form.locator('input[type=password]').fill(user.password);
  await form.locator('button[type=submit]').click();
  await expect.poll(() => isSignedIn(there)).toBe(true);
  // The account's language takes precedence over the browser's.
  await expect(there.locator('html')).toHaveAttribute('lang', 'en');

  await page.bringToFront();
  await chooseInPicker(page, 'ar');
  await expect(tab.locator('html')).toHaveAttribute('dir', 'rtl');
  await expect(there.locator('html')).toHaveAttribute('lang', 'ar');
  await there.goto('/?lang=de');
  await expect(there.getByRole('main')).toBeVisible();
  await expect(there.locator('html')).toHaveAttribute('lang', 'de');

  const third = await openBrowser({
    profile: info.outputPath('third'),
    baseURL: server.url,
    locale: 'en-GB',
  });
  const newest = third.pages()[0] ?? (await third.newPage());
  await newest.goto('/');
  await signIn(newest, user);
  await expect(newest.locator('html')).toHaveAttribute('lang', 'ar');
  await device.close();
  await third.close();
});

test('loads the first screen’s messages first, then the others, each once and only in the shown language', async ({
  browserContext,
  server,
}) => {
  const page = await browserContext.newPage();
  const fetched: string[] = [];
  page.on('request', (request) => {
    const [, name] = /\/assets\/language\/([\w-]+)-[\w-]{8}\.js/.exec(request.url()) ?? [];
    if (name !== undefined) fetched.push(name);
  });
  const all = (tag: string, aria: string) => [
    aria,
    ...['accounts', 'first', 'library', 'player', 'recorder', 'rest'].map((part) => `${tag}-${part}`),
  ];
  await page.goto(`${server.url}/?lang=de`);
  await expect.poll(() => fetched.toSorted()).toEqual(all('de', 'de-DE'));
  expect(fetched[0]).toBe('de-first');
  fetched.length = 0;
  await showLanguage(page, 'ja');
  expect(fetched.toSorted()).toEqual(all('ja', 'ja-JP'));
  fetched.length = 0;
  await showLanguage(page, 'de');
  expect(fetched).toEqual([]);
});
