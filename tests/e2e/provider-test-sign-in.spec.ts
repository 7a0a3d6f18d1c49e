import { signInInPopup, expect, test } from './provider-test.ts';
import { signUp } from './steps.ts';

const testSignIn = 'Test sign-in with Village ID';

test.beforeEach(async ({ page }) => {
  await signUp(page);
  await page.goto('/settings/providers');
  await page.getByRole('button', { name: 'Test Village ID' }).press('Enter');
  await expect(page.getByText('Only a sign-in shows:')).toBeVisible();
});

test('an administrator tests a sign-in in a window, and reads what the provider said and what would happen', async ({
  page,
  browserContext,
}) => {
  await signInInPopup(page, { press: testSignIn, user: 'ann' });
  await expect(page.getByRole('status').getByText('A sign-in would create the account')).toContainText(
    'Ann of the village (ann@village.example)',
  );
  await expect(page.getByRole('row', { name: /^email_verified/ })).toContainText('true');
  await expect(page.getByRole('row', { name: /^alg/ })).toContainText('RS256');
  expect(new URL(page.url()).search).toBe('');
  expect(browserContext.pages()).toHaveLength(1);
  // The administrator is still signed in as before.
  await page.goto('/settings/people');
  await expect(page.getByText('Ann of the village')).toHaveCount(0);
});

test('a cancelled test says why a sign-in would fail, and can be repeated', async ({ page }) => {
  await signInInPopup(page, { press: testSignIn, user: 'nobody' });
  await expect(page.getByRole('status').getByText('A sign-in would fail')).toBeVisible();
  await expect(page.getByText(/^access_denied/)).toBeVisible();
  await signInInPopup(page, { press: testSignIn, user: 'bob' });
  await expect(page.getByText('A sign-in would fail')).toHaveCount(0);
  await expect(page.getByText(/Bob of the village \(bob/)).toBeVisible();
});

test('a closed window is reported, and the test can be continued or cancelled', async ({ page }) => {
  const opening = page.waitForEvent('popup');
  await page.getByRole('button', { name: testSignIn }).click();
  const popup = await opening;
  await expect(popup.getByRole('button', { name: 'ann' })).toBeVisible();
  await popup.close();
  await expect(page.getByText(/The Village ID window seems to be closed/)).toBeVisible();
  await signInInPopup(page, { press: 'Reopen window', user: 'ann' });
  await expect(page.getByText(/A sign-in would create the account/)).toBeVisible();
});

test('where popups are blocked, a link opens the provider', async ({ page }) => {
  await page.evaluate(() => {
    globalThis.open = () => null;
  });
  await page.getByRole('button', { name: testSignIn }).click();
  const opening = page.context().waitForEvent('page');
  await page.getByRole('link', { name: 'Open the window' }).click();
  const other = await opening;
  await other.getByRole('button', { name: 'ann' }).click();
  await expect(page.getByText(/A sign-in would create the account/)).toBeVisible();
});

test('the window finishes the test itself if the page that started it is gone', async ({ page }) => {
  const opening = page.waitForEvent('popup');
  await page.getByRole('button', { name: testSignIn }).click();
  const popup = await opening;
  await expect(popup.getByRole('button', { name: 'ann' })).toBeVisible();
  await page.goto('about:blank');
  await popup.getByRole('button', { name: 'ann' }).click();
  await expect(popup).toHaveURL(/\/settings\/providers$/);
  await expect(popup.getByText(/A sign-in would create the account/)).toBeVisible();
});
