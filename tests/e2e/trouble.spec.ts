import { expect, test } from './earshot-test.ts';

test.describe('a refused microphone', () => {
  test.use({ browserOptions: { microphone: 'deny' } });
  test('is answered with what to do, and can be tried again', async ({ page }) => {
    await page.getByRole('button', { name: 'Record', exact: true }).click();
    await expect(page.getByText(/allow|permission/i).first()).toBeVisible();
    await expect(page.getByRole('button', { name: 'Try again', exact: true })).toBeVisible();
  });
});

test.describe('a computer without a microphone', () => {
  test.use({ browserOptions: { microphone: 'none' } });
  test('is told apart from a refusal', async ({ page }) => {
    await page.getByRole('button', { name: 'Record', exact: true }).click();
    await expect(page.getByText(/no microphone|plug/i).first()).toBeVisible();
    await expect(page.getByRole('button', { name: 'Try again', exact: true })).toBeVisible();
  });
});

test('a microphone in use elsewhere says so', async ({ page }) => {
  await page.evaluate(() => {
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('Could not start audio source', 'NotReadableError'));
  });
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await expect(page.getByText(/another (app|program)|in use|busy/i).first()).toBeVisible();
});

test('an insecure page says why it cannot record', async ({ browserContext, server }) => {
  const page = await browserContext.newPage();
  await page.addInitScript(() => { Object.defineProperty(globalThis, 'isSecureContext', { value: false }); });
  await page.goto(server.url);
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await expect(page.getByText(/https|secure/i).first()).toBeVisible();
});

test('storage that is refused is said before anything is lost', async ({ page }) => {
  await page.evaluate(() => { indexedDB.deleteDatabase('earshot'); });
  await page.route('**/*', (route) => route.continue());
  await page.addInitScript(() => { Object.defineProperty(navigator, 'storage', { value: undefined }); });
  await page.reload();
  const button = page.getByRole('button', { name: 'Record', exact: true });
  await button.click();
  await expect(button.or(page.getByRole('button', { name: 'Stop', exact: true })).or(page.getByRole('button', { name: 'Try again', exact: true })).first()).toBeVisible();
});

test('an address that does not exist has a helpful page', async ({ page }) => {
  await page.goto('/no/such/place');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('main').getByRole('link').first()).toBeVisible();
});
