import type { Page } from '@playwright/test';

/** Signs a user in by a call of a page of the app's origin. */
export async function signInByCall(page: Page, user: { email: string; password: string }): Promise<void> {
  await page.evaluate(async (body) => {
    const reply = await fetch('/auth/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-requested-with': 'earshot' },
      body: JSON.stringify(body),
    });
    if (!reply.ok) throw new Error(await reply.text());
  }, user);
}
