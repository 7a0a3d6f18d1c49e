import type { Page, Request } from '@playwright/test';
import { signInInPopup, expect, test } from './provider-test.ts';

const continueWith = 'Continue with Village ID';

/** Makes the provider respond as Apple does, with a form that its page posts cross-site. */
async function askForFormPost(page: Page): Promise<void> {
  await page.route('**/auth/village', async (route) => {
    const response = await route.fetch();
    const body: Record<string, unknown> = await response.json();
    const { authorizationUrl } = body;
    await route.fulfill({
      response,
      json:
        typeof authorizationUrl === 'string'
          ? { ...body, authorizationUrl: `${authorizationUrl}&response_mode=form_post` }
          : body,
    });
  });
}

const isAnswer = (request: Request): boolean =>
  request.method() === 'POST' && request.url().endsWith('/auth/village/callback');

test("signs in through a cross-site form post, as Apple's, although it carries no cookie", async ({
  page,
  browserContext,
}) => {
  await askForFormPost(page);
  await page.goto('/sign-in');
  const answering = browserContext.waitForEvent('request', isAnswer).then((request) => request.allHeaders());
  await signInInPopup(page, { press: continueWith, user: 'ann' });
  const headers = await answering;
  expect([headers['cookie'], headers['sec-fetch-site']]).toEqual([undefined, 'cross-site']);
  await expect(page.getByRole('button', { name: /Ann of the village.*’s account/ })).toBeVisible();
});

test('a form post also completes a sign-in by redirect', async ({ page }) => {
  await page.addInitScript(() => {
    globalThis.open = () => null;
  });
  await askForFormPost(page);
  await page.goto('/sign-in');
  await page.getByRole('button', { name: continueWith }).click();
  await page.getByRole('button', { name: 'ann' }).click();
  await expect(page.getByRole('button', { name: /Ann of the village.*’s account/ })).toBeVisible();
  expect(page.url()).not.toContain('code=');
});
