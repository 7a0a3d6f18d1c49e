import type { Page } from '@playwright/test';
import { expect, test } from './earshot-test.ts';
import { onlyReadyRecording, signUp, startTake, untilClock } from './steps.ts';

test.describe('a refused microphone', () => {
  test.use({ browserOptions: { microphone: 'deny' } });
  test('is answered with what to do, and can be tried again', async ({ page }) => {
    await page.getByRole('button', { name: 'Record', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'The microphone is blocked' })).toBeVisible();
    await expect(page.getByText('Switch “Microphone” on.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Try again', exact: true })).toBeVisible();
  });
});

// Chromium's fake devices cannot be counted down to none, so the browser's own two answers are given in its place.
async function microphoneFailsWith(page: Page, name: string): Promise<void> {
  await page.evaluate((errorName) => {
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('from the test', errorName));
  }, name);
  await page.getByRole('button', { name: 'Record', exact: true }).click();
}

test('a computer without a microphone is told apart from a refusal', async ({ page }) => {
  await microphoneFailsWith(page, 'NotFoundError');
  await expect(page.getByRole('heading', { name: 'No microphone was found' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Try again', exact: true })).toBeVisible();
});

test('a microphone in use elsewhere says so', async ({ page }) => {
  await microphoneFailsWith(page, 'NotReadableError');
  await expect(page.getByRole('heading', { name: 'Another program is using the microphone' })).toBeVisible();
});

test('an insecure page says why it cannot record', async ({ browserContext, server }) => {
  const page = await browserContext.newPage();
  await page.addInitScript(() => { Object.defineProperty(globalThis, 'isSecureContext', { value: false }); });
  await page.goto(server.url);
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'This page is not secure' })).toBeVisible();
});

test('storage that is refused is said before anything is lost', async ({ page }) => {
  await page.route(/encode\.worker/, async (route) => {
    const reply = await route.fetch();
    await route.fulfill({ response: reply, body: `navigator.storage.getDirectory = () => Promise.reject(new DOMException('refused', 'SecurityError'));${await reply.text()}` });
  });
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Nothing can be stored here' })).toBeVisible();
});

test('a microphone that is withdrawn mid-take ends the take in order and says what is kept', async ({ page }) => {
  await signUp(page);
  await page.evaluate(() => {
    const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    navigator.mediaDevices.getUserMedia = async (wish) => {
      const stream = await open(wish);
      Object.assign(globalThis, { withdraw: () => { for (const track of stream.getTracks()) { track.stop(); track.dispatchEvent(new Event('ended')); } } });
      return stream;
    };
  });
  await startTake(page);
  await untilClock(page, 2000);
  await page.evaluate(() => { (globalThis as unknown as { withdraw(): void }).withdraw(); });
  await expect(page.getByText(/everything until then is kept/)).toBeVisible();
  const recording = await onlyReadyRecording(page);
  expect(recording.durationMs).toBeGreaterThanOrEqual(1900);
});

test('an address that does not exist has a helpful page', async ({ page }) => {
  await page.goto('/no/such/place');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('main').getByRole('link').first()).toBeVisible();
});
