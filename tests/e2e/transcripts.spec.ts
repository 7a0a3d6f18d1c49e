import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { Page } from '@playwright/test';
import { isEngineInstalled } from '#server/transcribers/listening/engine-package.ts';
import { EarshotServer } from '#tests/support/earshot-server.ts';
import { expect, test as base } from './earshot-test.ts';
import { openSpeech, positionSlider } from './player-steps.ts';

/** The words of the recording, by the second in which each is said. */
const said: readonly [second: number, word: string][] = [
  [0.4, 'And'],
  [0.7, 'so,'],
  [1.1, 'my'],
  [1.4, 'fellow'],
  [1.8, 'Americans,'],
  [3.4, 'ask'],
  [4.0, 'not'],
  [5.5, 'what'],
  [6.0, 'your'],
  [6.4, 'county'],
];

/** A transcription server that hears these words in any chunk that starts the recording. */
async function transcriptionServer(): Promise<{ server: Server; url: string }> {
  const words = said.map(([start, word]) => ({ word, start, end: start + 0.2 }));
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ text: words.map(({ word }) => word).join(' '), language: 'english', words }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { server, url: `http://127.0.0.1:${address.port}` };
}

const test = base.extend({
  server: async ({}, use) => {
    const transcriptions = await transcriptionServer();
    const server = await EarshotServer.launch({ TRANSCRIBER_URL: transcriptions.url });
    await use(server);
    await server.dispose();
    transcriptions.server.closeAllConnections();
    transcriptions.server.close();
  },
});

test.skip(!isEngineInstalled(), 'sherpa-onnx-node is not installed');

const panel = (page: Page) => page.getByRole('region', { name: 'Transcript' });
const lines = (page: Page) => panel(page).getByRole('listitem');

async function transcribe(page: Page): Promise<void> {
  await panel(page).getByRole('button', { name: 'Transcribe', exact: true }).click({ timeout: 15_000 });
  await expect(panel(page).getByText(/Automatic transcripts contain mistakes/)).toBeVisible();
}

test('a recording is transcribed by one press; its words play, are found, corrected and saved', async ({
  page,
}) => {
  await openSpeech(page);
  await transcribe(page);
  await expect(lines(page).filter({ hasText: 'And so, my fellow Americans,' })).toBeVisible();

  await test.step('a press on a word plays from it, and the word that sounds is marked', async () => {
    await panel(page).getByText('what', { exact: true }).click();
    await expect(positionSlider(page)).toHaveAttribute('aria-valuetext', /^[56] seconds/);
  });

  await test.step('a line is corrected in place, also after a reload', async () => {
    const line = lines(page).filter({ hasText: 'county' });
    await line.hover();
    await line.getByRole('button', { name: /^Correct the line/ }).click();
    const field = page.getByRole('textbox', { name: /^Text of the line/ });
    await field.press('End');
    await field.press('Control+Backspace');
    await field.pressSequentially('country');
    await field.press('Enter');
    await expect(lines(page).filter({ hasText: 'your country' })).toContainText('corrected');
    await page.reload();
    await expect(lines(page).filter({ hasText: 'your country' })).toContainText('corrected');
  });

  await test.step('words are found', async () => {
    await panel(page).getByRole('searchbox', { name: 'Find in this recording' }).fill('country');
    await expect(panel(page).getByRole('status')).toHaveText('1 of 1 line');
    await panel(page).getByRole('searchbox', { name: 'Find in this recording' }).fill('county');
    await expect(panel(page).getByRole('status')).toHaveText('Not found');
  });

  await test.step('the transcript is saved as subtitles', async () => {
    await panel(page).getByRole('button', { name: 'More for the transcript' }).click();
    await page.getByRole('menuitem', { name: 'Save transcript…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save transcript' });
    await dialog.getByRole('combobox', { name: 'File type' }).selectOption('Subtitles (SRT)');
    const coming = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    const file = readFileSync(await (await coming).path(), 'utf8');
    expect(file).toMatch(/^1\n00:00:00,\d{3} --> 00:00:0\d,\d{3}\n/);
    expect(file).toContain('your country');
  });
});

test('the library finds a recording by what is said, and opens it there', async ({ page }) => {
  await openSpeech(page);
  await transcribe(page);
  await page.goto('/library');
  await page.getByRole('searchbox').first().fill('americans');
  const hit = page.getByRole('link', { name: /Said at .*Americans/ });
  await expect(hit).toBeVisible();
  await hit.click();
  await expect(panel(page)).toBeVisible();
});

test('the reader works with the keyboard alone', async ({ page }) => {
  await openSpeech(page);
  await transcribe(page);
  await expect(lines(page).first()).toBeVisible();
  await page.locator('main').focus();
  await page.keyboard.press('t');
  await expect(lines(page).first().getByRole('link')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(lines(page).nth(1).getByRole('link')).toBeFocused();
  await page.keyboard.press('e');
  const field = page.getByRole('textbox', { name: /^Text of the line/ });
  await expect(field).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(lines(page).nth(1).getByRole('link')).toBeFocused();
  await page.keyboard.press('t');
  await expect(lines(page).nth(1).getByRole('link')).not.toBeFocused();
});
