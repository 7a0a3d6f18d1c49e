import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { freePort } from '../../scripts/free-port.ts';
import { openFirefox } from '../faults/world/engines.ts';
import { until } from '../faults/world/take.ts';
import { expect, test } from './earshot-test.ts';
import { refuseAllStores } from './refused-stores.ts';
import { clockMs, expectWhole, onlyReadyRecording, signUp, startTake, stopTake, takesOnDevice, untilClock } from './steps.ts';

const refusalTitle = 'This browser does not let Earshot store recordings';

test.describe('with all site data blocked', () => {
  test.use({
    profile: async ({ profile }, use) => {
      mkdirSync(join(profile, 'Default'), { recursive: true });
      writeFileSync(join(profile, 'Default', 'Preferences'), JSON.stringify({ profile: { default_content_setting_values: { cookies: 2 } } }));
      await use(profile);
    },
    browserOptions: { isWhole: true, serviceWorkers: 'allow' },
  });

  test('the app starts, and Record says that the browser stores nothing, never that there is no sound', async ({ page, consoleGuard }) => {
    consoleGuard.allow(/nothing/);
    // The setting holds.
    expect(await page.evaluate(() => { try { return String(localStorage.length); } catch (error) { return (error as DOMException).name; } })).toBe('SecurityError');
    await page.getByRole('button', { name: 'Record', exact: true }).click();
    await expect(page.getByRole('heading', { name: refusalTitle })).toBeVisible();
    await expect(page.getByText('No sound came from this device')).toBeHidden();
    for (const path of ['/library', '/settings', '/sign-in']) {
      await page.goto(path);
      await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible();
    }
  });
});

test('where the browser refuses its stores, a take of a signed-in user goes from memory to the server, and the screen says so', async ({ page, browserContext, consoleGuard, server }) => {
  consoleGuard.allow(/ERR_INTERNET_DISCONNECTED/);
  await refuseAllStores(browserContext);
  await page.goto(server.url);
  await signUp(page);
  await startTake(page);
  await expect(page.getByText(refusalTitle)).toBeVisible();
  await expect(page.getByText('Saved on the server')).toBeVisible();
  await untilClock(page, 3000);
  await page.context().setOffline(true);
  const cutMs = await clockMs(page);
  await untilClock(page, cutMs + 2000);
  await expect(page.getByText('Saved on this device')).toBeHidden();
  await page.context().setOffline(false);
  const spokenMs = await clockMs(page);
  await stopTake(page);
  await expectWhole(page, await onlyReadyRecording(page), spokenMs);
  await expect(page.getByText('It is complete and safe on the server.')).toBeVisible();
});

test('after Stop, a take in memory asks that its page stays open until the server has it', async ({ page, browserContext, consoleGuard, server }) => {
  consoleGuard.allow(/ERR_INTERNET_DISCONNECTED/);
  await refuseAllStores(browserContext);
  await page.goto(server.url);
  await signUp(page);
  await startTake(page);
  await untilClock(page, 1000);
  await page.context().setOffline(true);
  await untilClock(page, await clockMs(page) + 1500);
  await stopTake(page);
  await expect(page.getByText('this device could not store all of it. Keep this page open')).toBeVisible();
  expect(await leavingIsAsked(page)).toBe(true);
  await page.context().setOffline(false);
  await expect(page.getByText('It is complete and safe on the server.')).toBeVisible();
  expect(await leavingIsAsked(page)).toBe(false);
});

/** Whether the page asks before it is left. */
const leavingIsAsked = (page: Page): Promise<boolean> => page.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })));

test('a take of nobody does not begin where nothing could store it', async ({ page, browserContext, consoleGuard, server }) => {
  consoleGuard.allow(/ERR_INTERNET_DISCONNECTED/);
  await refuseAllStores(browserContext);
  await page.goto(server.url);
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await expect(page.getByRole('heading', { name: refusalTitle })).toBeVisible();
});

for (const cookies of ['lang=%', 'theme=%', 'lang=%E0%A4%A', 'last-person=%; signed-in=%', 'theme={"a":1}', 'lang=../../etc']) {
  test(`a neighbour’s cookie "${cookies}" is ignored, and takes on this device stay within reach`, async ({ page, browserContext, server }) => {
    await startTake(page);
    await untilClock(page, 500);
    await stopTake(page);
    const [take] = await takesOnDevice(page);
    await browserContext.addCookies(cookies.split('; ').map((cookie) => ({ url: server.url, name: cookie.split('=')[0] ?? '', value: cookie.slice(cookie.indexOf('=') + 1) })));
    await page.goto('/library');
    await expect(page.getByRole('main').getByRole('link', { name: take?.title ?? 'none' })).toBeVisible();
  });
}

test('Firefox with all cookies blocked starts, and says that it stores nothing', async ({ server }) => {
  const firefox = await openFirefox(await freePort(), 'user_pref("network.cookie.cookieBehavior", 2);');
  if (typeof firefox === 'string') {
    test.skip(true, firefox);
    return;
  }
  try {
    await firefox.goTo(server.url);
    await until(() => firefox.press('Record').then(() => true), 'a Record button', 30_000);
    await until(async () => (await firefox.evaluate(`return document.body.innerText.includes(${JSON.stringify(refusalTitle)})`)) === true || null, 'the reason', 30_000);
  } finally {
    await firefox.close();
  }
});
