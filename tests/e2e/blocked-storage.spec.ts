import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { freePort } from '#scripts/free-port.ts';
import { openFirefox, type Engine } from '#tests/faults/world/engines.ts';
import { until } from '#tests/faults/world/take.ts';
import { expect, test } from './earshot-test.ts';
import { rejectAllStores } from './rejected-stores.ts';
import { appHeaders } from '#tests/support/raw-http.ts';
import type { EarshotServer } from '#tests/support/earshot-server.ts';
import { makeWav } from '#tests/support/made-wav.ts';
import {
  clockMs,
  expectWhole,
  newUser,
  onlyReadyRecording,
  signUp,
  startTake,
  stopTake,
  submitAccount,
  takesOnDevice,
  type TestUser,
  untilClock,
  onServerSentence,
} from './steps.ts';

const walk = { name: 'Walk.wav', mimeType: 'audio/wav', buffer: makeWav({ seconds: 1, seed: 7 }) };

const rejectionTitle = 'Your browser doesn’t let Earshot save recordings';

test.describe('with all site data blocked', () => {
  test.use({
    profile: async ({ profile }, use) => {
      mkdirSync(join(profile, 'Default'), { recursive: true });
      writeFileSync(
        join(profile, 'Default', 'Preferences'),
        JSON.stringify({ profile: { default_content_setting_values: { cookies: 2 } } }),
      );
      await use(profile);
    },
    browserOptions: { isWhole: true, serviceWorkers: 'allow' },
  });

  test('the app starts, and Record reports that the browser stores nothing, not that there is no sound', async ({
    page,
    consoleGuard,
  }) => {
    consoleGuard.allow(/nothing/);
    // The profile's setting must be in force.
    expect(
      await page.evaluate(() => {
        try {
          return String(localStorage.length);
        } catch (error) {
          return (error as DOMException).name;
        }
      }),
    ).toBe('SecurityError');
    await page.getByRole('button', { name: 'Record', exact: true }).click();
    await expect(page.getByRole('heading', { name: rejectionTitle })).toBeVisible();
    await expect(page.getByText('No sound came from this device')).toBeHidden();
    for (const path of ['/library', '/settings', '/sign-in']) {
      await page.goto(path);
      await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible();
    }
  });

  test('sign-in and sign-up report that the browser rejects cookies', async ({
    page,
    server,
    consoleGuard,
  }) => {
    consoleGuard.allow(/nothing/);
    const user = await newAccount(server);
    await page.goto('/sign-in');
    await submitAccount(page, user, 'Sign in');
    await expect(page.getByText(cookiesRejected)).toBeVisible();
    await page.goto('/sign-up');
    await submitAccount(page, newUser(), 'Create account');
    await expect(page.getByText(cookiesRejected)).toBeVisible();
  });

  test('a file chosen for import waits in memory, and the screen asks to keep the page open', async ({
    page,
    consoleGuard,
  }) => {
    consoleGuard.allow(/nothing/);
    await page.goto('/library');
    await page.locator('input[type=file]').first().setInputFiles(walk);
    await expect(
      page.getByText('This device couldn’t store a copy. Keep this page open until the import is done.'),
    ).toBeVisible();
    await expect(
      page.getByRole('region', { name: 'Imports' }).getByRole('listitem').filter({ hasText: walk.name }),
    ).toContainText('Sign in');
  });
});

test("uploads a signed-in user's file from memory where the browser blocks its stores", async ({
  page,
  browserContext,
  consoleGuard,
  server,
}) => {
  consoleGuard.allow(/nothing/);
  await rejectAllStores(browserContext);
  await page.goto(server.url);
  await signUp(page);
  await page.getByRole('link', { name: 'Library', exact: true }).first().click();
  await page.locator('input[type=file]').first().setInputFiles(walk);
  await expect(
    page.getByRole('region', { name: 'Imports' }).getByRole('listitem').filter({ hasText: walk.name }),
  ).toContainText('Imported', { timeout: 60_000 });
  expect((await onlyReadyRecording(page)).title).toContain('Walk');
});

const cookiesRejected = 'Your browser didn’t save the sign-in. Allow cookies for this site and try again.';

/** Creates an account outside the browser under test. */
async function newAccount(server: EarshotServer): Promise<TestUser> {
  const user = newUser();
  const reply = await fetch(`${server.url}/auth/signup`, {
    method: 'POST',
    headers: { ...appHeaders, 'content-type': 'application/json' },
    body: JSON.stringify(user),
  });
  expect(reply.status).toBe(201);
  return user;
}

test("uploads a signed-in user's take from memory where the browser blocks its stores, and the screen says so", async ({
  page,
  browserContext,
  consoleGuard,
  server,
}) => {
  consoleGuard.allow(/ERR_INTERNET_DISCONNECTED/);
  await rejectAllStores(browserContext);
  await page.goto(server.url);
  await signUp(page);
  await startTake(page);
  await expect(page.getByText(rejectionTitle)).toBeVisible();
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
  await expect(page.getByText(onServerSentence)).toBeVisible();
});

test('after Stop, a take in memory asks the user to keep the page open until the server has it', async ({
  page,
  browserContext,
  consoleGuard,
  server,
}) => {
  consoleGuard.allow(/ERR_INTERNET_DISCONNECTED/);
  await rejectAllStores(browserContext);
  await page.goto(server.url);
  await signUp(page);
  await startTake(page);
  await untilClock(page, 1000);
  await page.context().setOffline(true);
  await untilClock(page, (await clockMs(page)) + 1500);
  await stopTake(page);
  await expect(page.getByText('this device couldn’t store all of it. Keep this page open')).toBeVisible();
  expect(await leavingIsAsked(page)).toBe(true);
  await page.context().setOffline(false);
  await expect(page.getByText(onServerSentence)).toBeVisible();
  expect(await leavingIsAsked(page)).toBe(false);
});

/** Whether the page asks for confirmation before it unloads. */
const leavingIsAsked = (page: Page): Promise<boolean> =>
  page.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })));

test("a signed-out user's take does not start where nothing could store it", async ({
  page,
  browserContext,
  consoleGuard,
  server,
}) => {
  consoleGuard.allow(/ERR_INTERNET_DISCONNECTED/);
  await rejectAllStores(browserContext);
  await page.goto(server.url);
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await expect(page.getByRole('heading', { name: rejectionTitle })).toBeVisible();
});

for (const cookies of [
  'lang=%',
  'theme=%',
  'lang=%E0%A4%A',
  'last-user=%; signed-in=%',
  'last-user-PORT=%; signed-in-PORT=%',
  'theme={"a":1}',
  'lang=../../etc',
]) {
  test(`ignores the cookie "${cookies}" of another app on this host, and takes on this device stay reachable`, async ({
    page,
    browserContext,
    server,
  }) => {
    await startTake(page);
    await untilClock(page, 500);
    await stopTake(page);
    const [take] = await takesOnDevice(page);
    await browserContext.addCookies(
      cookies
        .replaceAll('PORT', new URL(server.url).port)
        .split('; ')
        .map((cookie) => ({
          url: server.url,
          name: cookie.split('=')[0] ?? '',
          value: cookie.slice(cookie.indexOf('=') + 1),
        })),
    );
    await page.goto('/library');
    await expect(page.locator(`main a[href="/recordings/${take?.id}"]`)).toBeVisible();
  });
}

test('Firefox with all cookies blocked starts the app, which reports that nothing can be stored', async ({
  server,
}) => {
  const firefox = await openFirefox(await freePort(), 'user_pref("network.cookie.cookieBehavior", 2);');
  if (typeof firefox === 'string') {
    test.skip(true, firefox);
    return;
  }
  try {
    await firefox.goTo(server.url);
    await until(() => firefox.press('Record').then(() => true), 'a Record button', 30_000);
    await firefoxShows(firefox, rejectionTitle);

    const user = await newAccount(server);
    await firefox.goTo(`${server.url}/sign-in`);
    const fill = (label: string, text: string) =>
      firefox.evaluate(`
      if (document.querySelector('[data-prerendered]')) throw new Error('the page is not there yet');
      const field = [...document.querySelectorAll('main input')].find((one) => one.labels[0]?.textContent.trim() === ${JSON.stringify(label)});
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, ${JSON.stringify(text)});
      field.dispatchEvent(new Event('input', { bubbles: true }));
      return true;`);
    await until(() => fill('Email', user.email), 'the form', 30_000);
    await fill('Password', user.password);
    await firefox.evaluate("document.querySelector('main form').requestSubmit(); return true;");
    await firefoxShows(firefox, cookiesRejected);
  } finally {
    await firefox.close();
  }
});

async function firefoxShows(firefox: Engine, words: string): Promise<void> {
  const text = () => firefox.evaluate('return document.body.innerText');
  await until(async () => String(await text()).includes(words) || null, `the words ${words}`, 30_000).catch(
    async (error: unknown) => {
      throw new Error(`${String(error)}: ${String(await text())}`);
    },
  );
}
