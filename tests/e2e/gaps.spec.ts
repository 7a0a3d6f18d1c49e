import type { BrowserContext, Page } from '@playwright/test';
import { cookieHeader } from '#tests/support/cookie-header.ts';
import { uploadGappedRecording } from '#tests/support/gapped-recording.ts';
import { expect, sharedTest as test } from './earshot-test.ts';
import { onlyReadyRecording, positionMs, signUp } from './steps.ts';

const durationMs = 22_000;
const recording = {
  durationMs,
  segments: [
    { startMs: 0, durationMs: 3000 },
    { startMs: 4400, durationMs: 3600 },
    { startMs: 20_000, durationMs: 2000 },
  ],
  gaps: [
    { atMs: 3000, durationMs: 1400, cause: 'microphone-lost' as const },
    { atMs: 8000, durationMs: 12_000, cause: 'page-killed' as const },
  ],
};

async function openGapped({
  page,
  browserContext,
  url,
}: {
  page: Page;
  browserContext: BrowserContext;
  url: string;
}): Promise<void> {
  await signUp(page);
  const id = await uploadGappedRecording(url, await cookieHeader(browserContext, url), recording);
  await onlyReadyRecording(page);
  await page.goto(`/recordings/${id}`);
  await expect(page.getByRole('slider', { name: 'Position' })).toHaveAttribute(
    'aria-valuemax',
    String(durationMs),
  );
}

test(
  'names each gap with its length, shows a receipt for every part, and playback announces skipped gaps',
  { tag: '@core' },
  async ({ page, browserContext, server }) => {
    await openGapped({ page, browserContext, url: server.url });
    const gaps = page.getByRole('region', { name: 'Gaps' });
    await expect(gaps.getByRole('listitem')).toHaveText([
      /Microphone disconnected, 1\.4\ss/,
      /Page closed, 12\ss/,
    ]);
    await expect(page.getByText(/^00:08, 2 gaps \(13\ss missing\)/)).toBeVisible();
    await page.getByText('Proof of storage', { exact: true }).click();
    const receipts = page.getByRole('list', { name: 'Proof of storage' }).getByRole('listitem');
    await expect(receipts).toHaveCount(3);
    await expect(receipts.first()).toContainText(/Part 1.*SHA-256 [0-9a-f]{8}….*Stored /);

    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await expect(page.getByText(/Skipped: Microphone disconnected/)).toBeVisible();
    expect(await positionMs(page)).toBeGreaterThanOrEqual(4400);
    await expect(page.getByText(/Skipped: Page closed/)).toBeVisible();
    expect(await positionMs(page)).toBeGreaterThanOrEqual(20_000);
  },
);

test('a seek into a gap is announced, times after gaps are exact, and gaps can play as silence', async ({
  page,
  browserContext,
  server,
}) => {
  await openGapped({ page, browserContext, url: server.url });
  const slider = page.getByRole('slider', { name: 'Position' });
  const gaps = page.getByRole('region', { name: 'Gaps' });
  await gaps.getByRole('link').nth(1).click();
  await expect.poll(() => positionMs(page)).toBe(8000);
  await expect(slider).toHaveAttribute('aria-valuetext', /no audio here: Page closed/);
  await slider.focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Shift+ArrowLeft');
  await expect.poll(async () => Math.abs((await positionMs(page)) - 21_000)).toBeLessThanOrEqual(50);
  const lengthMs = await page.evaluate(async () => {
    const audio = new Audio(`/api${location.pathname}/audio`);
    await new Promise((resolve, reject) => {
      audio.addEventListener('loadedmetadata', resolve);
      audio.addEventListener('error', reject);
    });
    return audio.duration * 1000;
  });
  expect(Math.abs(lengthMs - durationMs)).toBeLessThanOrEqual(50);

  await page.getByRole('button', { name: 'Playback options' }).click();
  await page.getByRole('combobox', { name: 'When playback reaches a gap' }).selectOption('silence');
  await page.keyboard.press('Escape');
  await page.reload();
  await page.getByRole('button', { name: 'Playback options' }).click();
  await expect(page.getByRole('combobox', { name: 'When playback reaches a gap' })).toHaveValue('silence');
  await page.keyboard.press('Escape');
  await gaps.getByRole('link').first().click();
  await expect.poll(() => positionMs(page)).toBe(3000);
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect(page.getByText(/No audio here: Microphone disconnected/)).toBeVisible();
  await expect.poll(() => positionMs(page), { intervals: [50] }).toBeGreaterThan(4500);
});
