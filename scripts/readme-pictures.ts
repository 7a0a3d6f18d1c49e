// Generates the pictures of README.md from a real run: a real server, and a real Chromium with the demo's speech
// as its microphone. Needs Chromium and ffmpeg.
import './node-version.mjs';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { ApiClient } from '#tests/support/api-client.ts';
import { killBrowserOf } from '#tests/support/browser-processes.ts';
import { EarshotServer } from '#tests/support/earshot-server.ts';
import { buildWeb } from './build-web.ts';
import { storeDemoRecordings } from './demo/demo-recordings.ts';
import { firstPage, makeMicrophoneFile, openBrowser, type Screen } from './readme/browser.ts';
import { type Frame, makeFilm } from './readme/film.ts';
import { savePictureStates } from './readme/picture-state.ts';

const pictures = new URL('../docs/images/', import.meta.url).pathname;
const user = { email: 'ada@example.org', password: 'a quiet harbour at dusk 7' };
const title = 'Acoustics, lecture 5';
const small: Screen = { width: 800, height: 600 };
const large: Screen = { width: 1200, height: 760 };
const framesPerSecond = 4;
const frameMs = 1000 / framesPerSecond;

interface Run {
  server: EarshotServer;
  profile: string;
  wavFile: string;
  folder: string;
}

const browserOf = ({ server, profile, wavFile }: Run, screen: Screen) =>
  openBrowser(profile, { url: server.url, wavFile, screen });

async function signUp(page: Page): Promise<void> {
  const reply = await page.context().request.post('/auth/signup', {
    headers: { 'sec-fetch-site': 'same-origin', 'x-requested-with': 'earshot' },
    data: { ...user, displayName: 'Ada' },
  });
  if (!reply.ok()) throw new Error(await reply.text());
}

async function record(page: Page, untilMs: number): Promise<void> {
  await page.goto('/');
  await page
    .getByRole('textbox', { name: 'Title' })
    .or(page.getByPlaceholder('Name this recording'))
    .first()
    .fill(title);
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await page.getByText('Saved on the server').first().waitFor();
  await delay(untilMs);
}

/** Opens the newest recording in the library. */
async function openRecorded(page: Page): Promise<void> {
  await page.goto('/library');
  await page.getByRole('link', { name: title }).first().click();
  await page
    .getByText(/Complete, |was closed for/)
    .first()
    .waitFor({ timeout: 60_000 });
}

const clock = (): string => new Date().toLocaleTimeString('en-GB');

/** Takes screenshots of a page at equal intervals. */
async function watch(page: Page, caption: string, count: number): Promise<Frame[]> {
  const frames: Frame[] = [];
  for (let taken = 0; taken < count; taken += 1) {
    const next = delay(frameMs);
    frames.push({ caption, at: clock(), shownMs: frameMs, picture: await page.screenshot() });
    await next;
  }
  return frames;
}

/** Kills browser and server as a power cut would, and returns a frame that shows the commands. */
async function killAll({ server, profile }: Run): Promise<Frame> {
  const serverId = server.pid;
  const ids = killBrowserOf(profile);
  await server.end('SIGKILL');
  const at = clock();
  return {
    caption: 'Killed: the browser and the server',
    at,
    shownMs: 1500,
    picture: {
      lines: [
        `$ kill -9 ${ids.slice(0, 4).join(' ')}${ids.length > 4 ? ' …' : ''}   # browser, ${ids.length} processes`,
        `$ kill -9 ${serverId}   # server`,
        '$',
      ],
    },
  };
}

/** Films a recording, `kill -9`, and the complete recording after a restart. */
async function filmSurvival(run: Run): Promise<Frame[]> {
  const before = await browserOf(run, small);
  const page = await firstPage(before);
  await record(page, 4000);
  const frames = await watch(page, 'Recording. Every fifth of a second is saved.', 3 * framesPerSecond);
  frames.push(await killAll(run));
  await run.server.start();
  const after = await browserOf(run, small);
  const again = await firstPage(after);
  await again.goto('/library');
  await again.getByRole('link', { name: title }).first().waitFor();
  frames.push(...(await watch(again, 'Opened again: the recording is still there.', 2 * framesPerSecond)));
  await openRecorded(again);
  await delay(1000);
  const gaps = again.getByRole('heading', { name: 'Gaps' });
  const hasGap = (await gaps.count()) > 0;
  frames.push({
    caption: hasGap ? 'All of it is there, and the gap is named.' : 'Complete, no gaps.',
    at: clock(),
    shownMs: 2000,
    picture: await again.screenshot(),
  });
  if (hasGap) {
    await gaps.evaluate((heading) => {
      heading.scrollIntoView({ block: 'center' });
    });
    frames.push({
      caption: 'The gap: how long, and why.',
      at: clock(),
      shownMs: 2000,
      picture: await again.screenshot(),
    });
  }
  await after.close();
  return frames;
}

async function photograph(run: Run): Promise<void> {
  const client = new ApiClient(run.server.url);
  await client.json('POST', '/auth/login', { body: user });
  await storeDemoRecordings(client);
  client.close();
  const context = await browserOf(run, large);
  const page = await firstPage(context);
  await record(page, 12_000);
  await page.screenshot({ path: join(pictures, 'recorder.png') });
  await page.getByRole('button', { name: 'Stop' }).first().click();
  await page.goto('/library');
  await page
    .getByRole('link', { name: /Acoustics, lecture 4/ })
    .first()
    .click();
  await page.getByText('Complete, ').first().waitFor();
  await page.getByText('The first reflections').first().waitFor();
  await delay(1500);
  await page.screenshot({ path: join(pictures, 'player.png') });
  await context.close();
}

async function main(): Promise<void> {
  await buildWeb();
  const folder = mkdtempSync(join(tmpdir(), 'earshot-pictures-'));
  const wavFile = join(folder, 'microphone.wav');
  makeMicrophoneFile('lecture', wavFile);
  const server = await EarshotServer.launch();
  const run: Run = { server, folder, wavFile, profile: join(folder, 'profile') };
  try {
    // Closes the first browser properly, because Chromium writes the session cookie to disk then.
    const first = await browserOf(run, small);
    await signUp(await firstPage(first));
    await first.close();
    const frames = await filmSurvival(run);
    await photograph(run);
    const file = join(pictures, 'survives.webp');
    const context = await browserOf({ ...run, profile: join(folder, 'film') }, small);
    await makeFilm(await firstPage(context), frames, { screen: small, folder, file });
    await context.close();
    savePictureStates();
    console.log(
      `${file}: ${Math.round(statSync(file).size / 1000)} kB, ${frames.reduce((ms, { shownMs }) => ms + shownMs, 0) / 1000} s`,
    );
  } finally {
    await server.dispose();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

await main();
