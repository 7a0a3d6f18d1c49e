import type { Page } from '@playwright/test';
import { cookieHeader } from '#tests/support/cookie-header.ts';
import { storeSpeech } from '#tests/support/stored-speech.ts';
import { expect, sharedTest as test } from './earshot-test.ts';
import { openSpeech, play, positionSlider } from './player-steps.ts';
import {
  createAccount,
  isSamePage,
  listed,
  markPage,
  revokeSession,
  signOut,
  signUpOnScreen,
  startTake,
  stopTake,
  submitAccount,
  untilClock,
} from './steps.ts';

/** The title of the recording that the page is playing, which the system's media keys show. */
const soundOf = (page: Page): Promise<string | null> =>
  page.evaluate(() => navigator.mediaSession.metadata?.title ?? null);

/** Plays a recording with a queue and a loop. */
async function useEverything(page: Page, second: string): Promise<void> {
  await page.getByRole('link', { name: 'Library', exact: true }).first().click();
  await page
    .getByRole('listitem')
    .or(page.getByRole('row'))
    .filter({ has: page.locator(`a[href$="${second}"]`) })
    .getByRole('button', { name: 'More actions' })
    .click();
  await page.getByRole('menuitem', { name: 'Play next' }).click();
  await page.goBack();
  await expect(page.getByRole('button', { name: 'Up next' })).toBeVisible();
  await page.getByRole('button', { name: 'Loop', exact: true }).click();
  await page.getByRole('button', { name: 'Playback options' }).click();
  await page.getByRole('combobox', { name: 'Sleep timer' }).selectOption({ label: 'After 15 minutes' });
  await page.keyboard.press('Escape');
  await play(page);
  await expect.poll(() => soundOf(page)).not.toBe(null);
}

test(
  'after a sign-out the page has no data of its user, and the next user starts without a reload',
  { tag: '@core' },
  async ({ page, browserContext, server }) => {
    const bob = await createAccount(browserContext);
    await revokeSession(browserContext);
    const { id } = await openSpeech(page);
    const second = await storeSpeech(server.url, await cookieHeader(browserContext, server.url));
    await useEverything(page, second);
    await markPage(page);
    await signOut(page);
    await expect.poll(() => soundOf(page)).toBe(null);
    await expect(positionSlider(page)).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Up next' })).toHaveCount(0);

    await page.getByRole('link', { name: 'Library', exact: true }).first().click();
    await page.getByRole('button', { name: 'Sign in', exact: true }).first().click();
    await submitAccount(page, bob, 'Sign in');
    await expect(page.getByRole('button', { name: /’s account$/ })).toBeVisible();
    await expect(page.locator(`a[href$="${id}"], a[href$="${second}"]`)).toHaveCount(0);

    const own = await storeSpeech(server.url, await cookieHeader(browserContext, server.url));
    await page.locator(`a[href$="${own}"]`).first().click();
    await expect(positionSlider(page)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Up next' })).toHaveCount(0);
    await page.getByRole('button', { name: 'Playback options' }).click();
    await expect(page.getByRole('combobox', { name: 'Sleep timer' })).toHaveValue('off');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: 'Loop', exact: true })).toHaveAttribute(
      'aria-pressed',
      'false',
    );
    expect(await isSamePage(page)).toBe(true);
  },
);

test('what is being read at a sign-out is cancelled, and asks nobody to sign in', async ({ page }) => {
  const { id } = await openSpeech(page);
  await page.goto('/library');
  const address = `**/api/recordings/${id}`;
  const signedOut = Promise.withResolvers<void>();
  const read = Promise.withResolvers<string>();
  page.on('response', (response) => {
    if (response.url().endsWith(id)) read.resolve('answered');
  });
  page.on('requestfailed', (request) => {
    if (request.url().endsWith(id)) read.resolve('cancelled');
  });
  // The server would get the read after the sign-out, of which the page does not know yet.
  await page.route(address, async (route) => {
    await signedOut.promise;
    await route.continue().catch(() => undefined);
  });
  await page.route('**/auth/logout', async (route) => {
    const response = await route.fetch();
    signedOut.resolve();
    await read.promise;
    await route.fulfill({ response });
  });
  const reading = page.waitForRequest(address);
  await page.locator(`a[href$="${id}"]`).first().click();
  await reading;
  await signOut(page);
  expect(await read.promise).toBe('cancelled');
  await expect(page.getByRole('button', { name: 'Sign in', exact: true }).first()).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('another user who signs in after a lost session sees nothing of the first, without a reload', async ({
  page,
  browserContext,
  server,
  consoleGuard,
}) => {
  consoleGuard.allow(/401|409|404/);
  await openSpeech(page);
  const second = await storeSpeech(server.url, await cookieHeader(browserContext, server.url));
  await useEverything(page, second);
  await markPage(page);
  await page.getByRole('button', { name: 'Add note' }).click();
  const note = page.getByRole('textbox', { name: /^Note at/ });
  await expect(note).toBeFocused();
  await page.keyboard.type('Only Alice reads this');
  await expect(note).toHaveValue('Only Alice reads this');
  await revokeSession(browserContext);
  const other = await browserContext.newPage();
  await other.goto('/');
  await signUpOnScreen(other);
  await page.bringToFront();
  await expect(page.getByText(/is now signed in\. Earlier recordings stay/)).toBeVisible();
  await expect(note).toHaveCount(0);
  await expect(page.getByText('Only Alice reads this')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Up next' })).toHaveCount(0);
  await expect(positionSlider(page)).toHaveCount(0);
  await expect.poll(() => soundOf(page)).toBe(null);
  expect(await isSamePage(page)).toBe(true);
});

test('a recording that could not join the account of a user who left is offered to the next one, and not given', async ({
  page,
  browserContext,
  consoleGuard,
}) => {
  consoleGuard.allow(/507|Failed to load resource/);
  const bob = await createAccount(browserContext);
  await revokeSession(browserContext);
  const alice = await createAccount(browserContext);
  await revokeSession(browserContext);
  await page.goto('/');
  await startTake(page);
  await untilClock(page, 1500);
  await stopTake(page);
  await expect(page.getByText(/saved on this device only/)).toBeVisible();
  const isRegistration = (url: URL) => /^\/api\/recordings\/[\w-]+$/.test(url.pathname);
  await browserContext.route(isRegistration, (route) =>
    route.request().method() === 'PUT'
      ? route.fulfill({
          status: 507,
          contentType: 'application/problem+json',
          body: JSON.stringify({
            code: 'quota-exceeded',
            status: 507,
            instance: 'urn:uuid:1',
            title: 'Full',
          }),
        })
      : route.continue(),
  );
  const tried = page.waitForRequest(
    (request) => request.method() === 'PUT' && isRegistration(new URL(request.url())),
  );
  await page.getByRole('button', { name: 'Sign in', exact: true }).first().click();
  await submitAccount(page, alice, 'Sign in');
  await tried;
  await signOut(page);
  await browserContext.unroute(isRegistration);

  await page.getByRole('button', { name: 'Sign in', exact: true }).first().click();
  await submitAccount(page, bob, 'Sign in');
  const question = page.getByRole('dialog', { name: '1 recording from before: add it?' });
  await expect(question).toBeVisible();
  expect(await listed(page)).toEqual([]);
  await question.getByRole('button', { name: 'Add to my library' }).click();
  await expect.poll(async () => (await listed(page)).length).toBe(1);
});
