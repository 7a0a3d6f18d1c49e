import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Download, Page } from '@playwright/test';
import { cookieHeader } from '#tests/support/cookie-header.ts';
import { uploadLongRecording } from '#tests/support/long-recording.ts';
import { readZip } from '#tests/support/read-zip.ts';
import { expect, sharedTest, test } from './earshot-test.ts';
import { openSpeech, positionSlider, recordAndOpen } from './player-steps.ts';
import { listed, startTake, stopTake, takesOnDevice, untilClock } from './steps.ts';

const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Download recording' });

async function downloaded(
  page: Page,
  press: () => Promise<void>,
): Promise<{ name: string; path: string; bytes: Buffer }> {
  const coming: Promise<Download> = page.waitForEvent('download', { timeout: 60_000 });
  await press();
  const download = await coming;
  const path = await download.path();
  return { name: download.suggestedFilename(), path, bytes: readFileSync(path) };
}

const pressDownload = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Download', exact: true }).click();
const confirm = (page: Page): Promise<void> =>
  dialog(page).getByRole('button', { name: 'Download', exact: true }).click();

/** Reads a file's codec and duration with ffprobe. */
function probed(path: string): { codec: string; durationMs: number } {
  const { stdout } = spawnSync('ffprobe', [
    '-v',
    'error',
    '-show_entries',
    'stream=codec_name:format=duration',
    '-of',
    'json',
    path,
  ]);
  const {
    streams: [stream],
    format,
  } = JSON.parse(stdout.toString());
  return { codec: stream.codec_name, durationMs: Number(format.duration) * 1000 };
}

/** The hashes of all files of that name, in any folder. */
const hashesOf = (files: Map<string, Buffer>, name: string): string[] =>
  [...files].filter(([path]) => path.endsWith(`/${name}`)).map(([, bytes]) => sha256Of(bytes));

const hasFfmpeg = spawnSync('ffprobe', ['-version']).status === 0;

async function selectFirstSeconds(page: Page): Promise<void> {
  await positionSlider(page).focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Shift+ArrowRight');
}

test('downloads the original in two presses, bit for bit, and a selection as an MP3 of its length', async ({
  page,
}) => {
  const { id } = await openSpeech(page);
  await pressDownload(page);
  const original = await downloaded(page, () => confirm(page));
  const stored = await page.request.get(`/api/recordings/${id}/original`);
  expect(original.name).toMatch(/\.opus$/);
  expect(sha256Of(original.bytes)).toBe(sha256Of(await stored.body()));
  await expect(dialog(page)).toHaveCount(0);

  test.skip(!hasFfmpeg, 'ffprobe is missing, so MP3 files cannot be read');
  await selectFirstSeconds(page);
  await pressDownload(page);
  await expect(dialog(page).getByRole('switch', { name: /Selection only/ })).toBeChecked();
  await dialog(page).getByLabel('Format').selectOption('mp3');
  const part = await downloaded(page, () => confirm(page));
  expect(part.name).toMatch(/\.mp3$/);
  const { codec, durationMs } = probed(part.path);
  expect([codec, Math.abs(durationMs - 2000) < 150]).toEqual(['mp3', true]);
});

test("converts a signed-out user's take on the device", async ({ page }) => {
  test.skip(!hasFfmpeg, 'ffprobe is missing, so the files cannot be read');
  await page.goto('/');
  await startTake(page);
  await untilClock(page, 2000);
  await stopTake(page);
  await page.goto('/settings/storage');
  await page.getByRole('link', { name: 'Play' }).click();
  await expect(positionSlider(page)).toBeVisible();
  const lengthMs = Number(await positionSlider(page).getAttribute('aria-valuemax'));
  for (const [format, codec] of [
    ['wav', 'pcm_s16le'],
    ['opus', 'opus'],
  ] as const) {
    await pressDownload(page);
    await dialog(page).getByLabel('Format').selectOption(format);
    const file = await downloaded(page, () => confirm(page));
    const read = probed(file.path);
    expect([format, read.codec, Math.abs(read.durationMs - lengthMs) < 200]).toEqual([format, codec, true]);
    await expect(dialog(page)).toHaveCount(0);
  }
});

sharedTest(
  'downloads selected recordings, and a whole account, as a ZIP file with every stored byte',
  { tag: '@core' },
  async ({ page, browserContext, server }) => {
    await openSpeech(page);
    await uploadLongRecording(server.url, await cookieHeader(browserContext, server.url), {
      minutes: 0.1,
      isThin: true,
    });
    await expect
      .poll(async () => (await listed(page)).map(({ state }) => state), { timeout: 60_000 })
      .toEqual(['ready', 'ready']);
    const stored = await Promise.all(
      (await listed(page)).map(async ({ id }) =>
        sha256Of(await (await page.request.get(`/api/recordings/${id}/original`)).body()),
      ),
    );
    await page.goto('/library');
    for (const name of ['Inaugural address', 'A long silence'])
      await page.getByRole('link', { name, exact: true }).click({ modifiers: ['ControlOrMeta'] });
    await expect(page.getByText('2 selected')).toBeVisible();
    const zip = await readZip(
      (
        await downloaded(page, () =>
          page.getByRole('button', { name: 'Download', exact: true }).first().click(),
        )
      ).bytes,
    );
    expect(hashesOf(zip, 'audio.ogg').toSorted()).toEqual(stored.toSorted());

    await page.goto('/settings/data');
    await page.getByRole('button', { name: 'Prepare export', exact: true }).click();
    const link = page.getByRole('link', { name: 'Download', exact: true });
    await expect(link).toBeVisible({ timeout: 60_000 });
    const account = await readZip((await downloaded(page, () => link.click())).bytes);
    expect(hashesOf(account, 'audio.ogg').toSorted()).toEqual(hashesOf(zip, 'audio.ogg').toSorted());
    const manifest: { files: { path: string; sha256: string }[] } = JSON.parse(
      account.get('manifest.json')?.toString() ?? '',
    );
    for (const { path, sha256 } of manifest.files)
      expect([path, sha256Of(account.get(path) ?? Buffer.alloc(0))]).toEqual([path, sha256]);
  },
);

test("the storage settings empty the server's trash after confirmation and link to unfinished recordings, which an export names", async ({
  page,
  consoleGuard,
}) => {
  // The unfinished recording created below has no audio to play.
  consoleGuard.allow(/416/);
  const id = await recordAndOpen(page, 1500);
  await page.getByRole('button', { name: 'Move to trash' }).click();
  await page.goto('/settings/storage');
  await page.getByRole('button', { name: 'Empty trash' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Keep' }).click();
  expect((await listed(page, '?trashed=true')).map((recording) => recording.id)).toEqual([id]);
  await page.getByRole('button', { name: 'Empty trash' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Empty trash' }).click();
  await expect(page.getByRole('button', { name: 'Empty trash' })).toHaveCount(0);
  expect(await listed(page, '?trashed=true')).toEqual([]);
  expect(await takesOnDevice(page)).toEqual([]);

  // A take that this device never finishes.
  const unfinished = await page.evaluate(async () => {
    const recordingId = crypto.randomUUID();
    const headers = { 'content-type': 'application/json', 'x-requested-with': 'earshot' };
    const body = {
      title: 'Left behind',
      startedAt: new Date().toISOString(),
      timeZone: 'UTC',
      source: 'microphone',
      format: { container: 'ogg', codec: 'opus', sampleRateHz: 48_000, channels: 1 },
    };
    await fetch(`/api/recordings/${recordingId}`, { method: 'PUT', headers, body: JSON.stringify(body) });
    return recordingId;
  });
  await page.goto('/settings/data');
  await page.getByRole('button', { name: 'Prepare export', exact: true }).click();
  const leftOut = page.getByRole('list', { name: 'Not in this export' }).getByRole('listitem');
  await expect(leftOut).toContainText(['Left behind'], { timeout: 60_000 });
  await expect(leftOut).toContainText(['Not complete yet']);
  await page.goto('/settings/storage');
  await expect(page.getByText('1 unfinished recording')).toBeVisible();
  await page
    .getByRole('list', { name: 'Unfinished recordings' })
    .getByRole('link', { name: 'Left behind' })
    .click();
  await expect(page).toHaveURL(`/recordings/${unfinished}`);
  await page.getByRole('button', { name: 'Move to trash' }).click();
  await page.goto('/settings/storage');
  await expect(page.getByRole('button', { name: 'Empty trash' })).toBeVisible();
  await expect(page.getByText('Unfinished recordings')).toHaveCount(0);
});
