import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, openSync, ftruncateSync, closeSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Locator, Page } from '@playwright/test';
import { limits } from '#contract/limits.ts';
import { makeWav } from '#tests/support/made-wav.ts';
import { expect, openBrowser, sharedTest, test } from './earshot-test.ts';
import { createAccount, listed, signIn, signUp, type TestUser } from './steps.ts';

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const wav = {
  name: 'Harbour 2024-05-17 14.03.wav',
  mimeType: 'audio/wav',
  buffer: makeWav({ seconds: 3, seed: 11 }),
};
/** Ten requests of the largest size. */
const longWav = { name: 'Long talk.wav', mimeType: 'audio/wav', buffer: makeWav({ seconds: 108, seed: 12 }) };

const tray = (page: Page): Locator => page.getByRole('region', { name: 'Imports' });
const rowOf = (page: Page, name: string): Locator =>
  tray(page).getByRole('listitem').filter({ hasText: name });

/** Opens the list where it is collapsed to a chip: on the recorder, and on phones. */
const unfold = (page: Page): Promise<void> => tray(page).getByRole('button', { expanded: false }).click();

async function openLibrary(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Library', exact: true }).first().click();
  await expect(page.getByRole('button', { name: 'Import files' })).toBeVisible();
}

async function choose(
  page: Page,
  files: Parameters<Locator['setInputFiles']>[0],
  way: 'files' | 'folder' = 'files',
): Promise<void> {
  await page.locator(`input[data-import=${way}]`).setInputFiles(files);
}

/** The SHA-256 of the server's original of the recording with this title. */
async function originalOf(page: Page, title: string): Promise<string> {
  const recording = (await listed(page)).find((each) => each.title === title);
  const bytes = await page.request.get(`/api/recordings/${recording?.id ?? ''}/original`);
  expect(bytes.status()).toBe(200);
  return sha256(await bytes.body());
}

/** Lets the given number of upload requests through and holds the next one until `release`. */
async function holdAfter(
  context: BrowserContext,
  pieces: number,
): Promise<{ held: Promise<void>; release: () => void }> {
  const reached = Promise.withResolvers<undefined>();
  const gate = Promise.withResolvers<undefined>();
  let seen = 0;
  await context.route('**/api/uploads/*', async (route) => {
    const size = route.request().postDataBuffer()?.length ?? 0;
    if (route.request().method() === 'PATCH' && size > 100_000 && (seen += 1) > pieces) {
      reached.resolve(undefined);
      await gate.promise;
    }
    await route.continue().catch(() => undefined);
  });
  return {
    held: reached.promise,
    release: () => {
      gate.resolve(undefined);
    },
  };
}

/** Passes files to the page as a drop or a paste does. */
async function handOver(page: Page, file: typeof wav, way: 'drop' | 'paste'): Promise<void> {
  await page.evaluate(
    ({ base64, name, type, event }) => {
      const transfer = new DataTransfer();
      transfer.items.add(
        new File([Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))], name, { type }),
      );
      const target = document.querySelector('main') ?? document.body;
      if (event === 'paste')
        target.dispatchEvent(
          new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true, cancelable: true }),
        );
      else
        for (const step of ['dragenter', 'dragover', 'drop'])
          target.dispatchEvent(
            new DragEvent(step, { dataTransfer: transfer, bubbles: true, cancelable: true }),
          );
    },
    { base64: file.buffer.toString('base64'), name: file.name, type: file.mimeType, event: way },
  );
}

sharedTest(
  'a chosen file becomes a recording with its name, day and length, stored bit for bit',
  { tag: '@core' },
  async ({ page }) => {
    await signUp(page);
    await openLibrary(page);
    await choose(page, wav);
    await expect(rowOf(page, wav.name)).toContainText('Imported', { timeout: 60_000 });
    await expect
      .poll(async () => (await listed(page)).map(({ state }) => state), { timeout: 60_000 })
      .toEqual(['ready']);
    const [recording] = await listed(page);
    expect(recording).toMatchObject({
      title: 'Harbour 2024-05-17 14.03',
      source: 'import',
      recordedTime: { kind: 'local', dateTime: '2024-05-17T14:03:00' },
    });
    expect(Math.abs((recording?.durationMs ?? 0) - 3000)).toBeLessThan(50);
    expect(recording?.peaksPoints).toBe(300);
    expect(await originalOf(page, 'Harbour 2024-05-17 14.03')).toBe(sha256(wav.buffer));
  },
);

test("imports dropped and pasted files with title and date from their tags, and counts a folder's skipped files", async ({
  page,
  profile,
}) => {
  await signUp(page);
  const tagged = {
    name: 'track01.wav',
    mimeType: 'audio/wav',
    buffer: makeWav({ seconds: 2, seed: 13, tags: { INAM: 'Evening walk', ICRD: '2021-03-04' } }),
  };
  await expect
    .poll(async () => {
      if ((await tray(page).count()) === 0) await handOver(page, tagged, 'drop');
      return tray(page).count();
    })
    .toBe(1);
  await unfold(page);
  await handOver(page, wav, 'paste');
  await expect(tray(page).getByText('Imported', { exact: true })).toHaveCount(2, { timeout: 60_000 });
  const recordings = await listed(page);
  expect(recordings.map(({ title }) => title).toSorted()).toEqual([
    'Evening walk',
    'Harbour 2024-05-17 14.03',
  ]);
  expect(recordings.find(({ title }) => title === 'Evening walk')?.recordedTime).toEqual({
    kind: 'date',
    date: '2021-03-04',
  });

  await openLibrary(page);
  const folder = join(profile, 'to-import');
  mkdirSync(join(folder, 'inner'), { recursive: true });
  writeFileSync(join(folder, 'one.wav'), makeWav({ seconds: 1, seed: 14 }));
  writeFileSync(join(folder, 'inner', 'two.wav'), makeWav({ seconds: 1, seed: 15 }));
  writeFileSync(join(folder, 'notes.txt'), 'words');
  await choose(page, folder, 'folder');
  await expect(tray(page).getByText('Imported', { exact: true })).toHaveCount(4, { timeout: 60_000 });
  await expect(tray(page)).toContainText('1 file was skipped');
});

sharedTest(
  'rejects files that cannot be imported, each with its own reason',
  { tag: '@core' },
  async ({ page, profile }) => {
    await signUp(page);
    await openLibrary(page);
    const huge = join(profile, 'huge.wav');
    const handle = openSync(huge, 'w');
    ftruncateSync(handle, limits.import.maxBytes + 1);
    closeSync(handle);
    await choose(page, [
      {
        name: 'letter.txt',
        mimeType: 'text/plain',
        buffer: Buffer.from('Dear Sir or Madam, nothing here can be heard.'),
      },
      { name: 'nothing.mp3', mimeType: 'audio/mpeg', buffer: Buffer.alloc(0) },
      {
        name: 'broken.m4a',
        mimeType: 'audio/mp4',
        buffer: Buffer.from('this was once a song, and is no more'.repeat(20)),
      },
    ]);
    await expect(rowOf(page, 'letter.txt')).toContainText('This file isn’t audio.');
    await expect(rowOf(page, 'nothing.mp3')).toContainText('This file is empty.');
    await expect(rowOf(page, 'broken.m4a')).toContainText('This file isn’t audio.');
    await choose(page, huge);
    await expect(rowOf(page, 'huge.wav')).toContainText('larger than 2 GB');
    expect(await listed(page)).toEqual([]);
  },
);

/** Bytes of no known format. */
const strange = Buffer.from(
  Uint8Array.from({ length: 5000 }, (_, at) => (at * 73 + (at >> 3) * 29 + 0x91) & 0xff),
);

test('uploads an unreadable file after confirmation; the server finds its audio or reports that it has none', async ({
  page,
}) => {
  test.skip(spawnSync('ffmpeg', ['-version']).status !== 0, 'ffmpeg is not installed');
  await signUp(page);
  await openLibrary(page);
  await page.setViewportSize({ width: 320, height: 700 });
  // An MP3 stream that starts within a frame, in a file without an extension.
  const { stdout } = spawnSync('ffmpeg', [
    '-v',
    'error',
    '-f',
    'lavfi',
    '-i',
    'sine=frequency=440:duration=4',
    '-ar',
    '48000',
    '-b:a',
    '64k',
    '-f',
    'mp3',
    'pipe:1',
  ]);
  const torn = { name: 'REC0001', mimeType: '', buffer: stdout.subarray(300) };
  await choose(page, [
    torn,
    { name: 'call.20240517', mimeType: '', buffer: strange },
    { name: 'disk.img', mimeType: '', buffer: Buffer.from(strange).reverse() },
  ]);
  await unfold(page);
  for (const name of [torn.name, 'call.20240517', 'disk.img'])
    await expect(rowOf(page, name)).toContainText('Earshot couldn’t read this file. Upload it anyway?');
  await expect(tray(page)).toContainText('Import these files?');
  expect(await listed(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);

  await rowOf(page, 'disk.img')
    .getByRole('button', { name: /^Don’t upload/ })
    .press('Enter');
  await expect(rowOf(page, 'disk.img')).toHaveCount(0);
  await rowOf(page, torn.name)
    .getByRole('button', { name: /^Upload/ })
    .press('Enter');
  await rowOf(page, 'call.20240517')
    .getByRole('button', { name: /^Upload/ })
    .press('Enter');
  await expect(tray(page).getByText('Imported', { exact: true })).toHaveCount(1, { timeout: 60_000 });
  await expect(rowOf(page, 'call.20240517')).toContainText('Earshot can’t play this file.', {
    timeout: 60_000,
  });
  await expect
    .poll(async () => (await listed(page)).map(({ title, state }) => `${title} ${state}`).toSorted(), {
      timeout: 60_000,
    })
    .toEqual(['REC0001 ready', 'call.20240517 failed']);
  expect(await originalOf(page, 'REC0001')).toBe(sha256(torn.buffer));
  const sent = (await listed(page)).find(({ title }) => title === 'REC0001');
  expect(Math.abs((sent?.durationMs ?? 0) - 4000)).toBeLessThan(200);

  await expect(page.getByRole('main')).toContainText('Can’t be played');
  await rowOf(page, 'call.20240517').getByRole('link').click();
  await expect(page.getByRole('note')).toContainText('Earshot can’t play this file. The original is stored.');
  await expect(page.getByRole('region', { name: 'Details' })).not.toContainText(/kHz|Recorded/);
  await expect(page.getByRole('note')).toContainText('exactly as you uploaded it');
  await expect(page.getByRole('region', { name: 'Player' })).toHaveCount(0);
  expect(await originalOf(page, 'call.20240517')).toBe(sha256(strange));
});

test('offers to skip or import a file that is already on the server', async ({ page }) => {
  await signUp(page);
  await openLibrary(page);
  await choose(page, wav);
  await expect(rowOf(page, wav.name)).toContainText('Imported', { timeout: 60_000 });
  await tray(page).getByRole('button', { name: 'Close imports' }).click();
  await expect(tray(page)).toHaveCount(0);
  await choose(page, { ...wav, name: 'The same again.wav' });
  await expect(rowOf(page, 'The same again.wav')).toContainText(
    'Already in your library: Harbour 2024-05-17 14.03',
  );
  await rowOf(page, 'The same again.wav').getByRole('button', { name: 'Skip' }).click();
  await expect(tray(page)).toHaveCount(0);
  expect(await listed(page)).toHaveLength(1);
  await choose(page, { ...wav, name: 'The same again.wav' });
  await rowOf(page, 'The same again.wav').getByRole('button', { name: 'Import anyway' }).click();
  await expect(rowOf(page, 'The same again.wav')).toContainText('Imported', { timeout: 60_000 });
  expect(await listed(page)).toHaveLength(2);
});

test('an import can be paused, resumed, cancelled and undone, and survives a change of page', async ({
  page,
  browserContext,
}) => {
  await signUp(page);
  await openLibrary(page);
  const { held, release } = await holdAfter(browserContext, 4);
  await choose(page, longWav);
  await held;
  await rowOf(page, longWav.name)
    .getByRole('button', { name: /^Pause/ })
    .click();
  await expect(rowOf(page, longWav.name)).toContainText(/Paused at \W*4/);
  release();
  await page.getByRole('link', { name: 'Settings', exact: true }).first().click();
  await unfold(page);
  await expect(rowOf(page, longWav.name)).toContainText(/Paused at \W*4/);
  await rowOf(page, longWav.name)
    .getByRole('button', { name: /^Cancel/ })
    .click();
  await expect(rowOf(page, longWav.name)).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(rowOf(page, longWav.name)).toContainText('Imported', { timeout: 60_000 });
  expect(await originalOf(page, 'Long talk')).toBe(sha256(longWav.buffer));
});

test('an import cancelled offline is deleted from the server once the network is back', async ({
  page,
  browserContext,
  consoleGuard,
}) => {
  // 404: the page that is reloaded may have deleted it already, and have had no time to remove the outbox entry.
  consoleGuard.allow(/ERR_INTERNET_DISCONNECTED|404/);
  await signUp(page);
  await openLibrary(page);
  const { held, release } = await holdAfter(browserContext, 2);
  await choose(page, longWav);
  await held;
  expect(await listed(page)).toHaveLength(1);
  await browserContext.setOffline(true);
  release();
  await rowOf(page, longWav.name)
    .getByRole('button', { name: /^Cancel/ })
    .click();
  await page
    .getByRole('alertdialog')
    .filter({ hasText: 'cancelled' })
    .getByRole('button', { name: 'Close' })
    .click();
  await expect(page.getByText(/Import of .* cancelled/)).toHaveCount(0);
  await browserContext.setOffline(false);
  await page.reload();
  const known = async () =>
    page.evaluate(
      async () =>
        await Promise.all(
          ['', '?trashed=true'].map(
            async (query) =>
              ((await (await fetch(`/api/recordings${query}`)).json()) as { items: unknown[] }).items.length,
          ),
        ),
    );
  await expect.poll(known, { timeout: 30_000 }).toEqual([0, 0]);
});

/** Signs a user up, and begins an import that stops after six megabytes. */
async function sendSixMegabytes(page: Page): Promise<TestUser> {
  const account = await signUp(page);
  await openLibrary(page);
  const { held } = await holdAfter(page.context(), 6);
  await choose(page, longWav);
  await held;
  return account;
}

test('an import interrupted by closing the browser resumes automatically where the server left off', async ({
  page,
  browserContext,
  profile,
  server,
  consoleGuard,
}) => {
  const account = await sendSixMegabytes(page);
  await browserContext.close();

  const again = await openBrowser({ profile, baseURL: server.url });
  consoleGuard.watch(again);
  const resumed = again.pages()[0] ?? (await again.newPage());
  const rest = await holdAfter(again, 0);
  await resumed.goto(server.url);
  if (
    !(await resumed.evaluate(
      async () => ((await (await fetch('/auth/session')).json()) as { user: unknown }).user !== null,
    ))
  )
    await signIn(resumed, account);
  // The six megabytes on the server count before more is sent.
  await rest.held;
  await unfold(resumed);
  await expect(rowOf(resumed, longWav.name)).toContainText(/6\.3\sMB\W+of\W+10\.4\sMB/);
  rest.release();
  await expect(rowOf(resumed, longWav.name)).toContainText('Imported', { timeout: 60_000 });
  expect(await originalOf(resumed, 'Long talk')).toBe(sha256(longWav.buffer));
  const retained = await resumed.evaluate(async () => {
    const names: string[] = [];
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('imports');
    for await (const name of folder.keys()) names.push(name);
    return names;
  });
  expect(retained).toEqual([]);
  await again.close();
});

test('a torn import continues where the server left off when its file is chosen again on another device', async ({
  page,
  browserContext,
  profile,
  server,
  consoleGuard,
}) => {
  const account = await sendSixMegabytes(page);
  const [torn] = await listed(page);
  await browserContext.close();

  const other = await openBrowser({ profile: join(profile, 'other-device'), baseURL: server.url });
  consoleGuard.watch(other);
  const device = other.pages()[0] ?? (await other.newPage());
  await device.goto(server.url);
  await signIn(device, account);
  await device.goto(`${server.url}/recordings/${torn?.id ?? ''}`);
  await expect(device.getByRole('note')).toContainText('Import the same file again to continue.');
  const rest = await holdAfter(other, 0);
  await openLibrary(device);
  await choose(device, longWav);
  await rest.held;
  await expect(rowOf(device, longWav.name)).toContainText('Continues an interrupted import');
  // The six megabytes on the server count before more is sent.
  await expect(rowOf(device, longWav.name)).toContainText(/6\.3\sMB\W+of\W+10\.4\sMB/);
  rest.release();
  await expect(rowOf(device, longWav.name)).toContainText('Imported', { timeout: 60_000 });
  expect((await listed(device)).map(({ id }) => id)).toEqual([torn?.id]);
  expect(await originalOf(device, 'Long talk')).toBe(sha256(longWav.buffer));
  await other.close();
});

test('a signed-out user may choose files first: they wait for the sign-in', async ({
  page,
  browserContext,
}) => {
  // No page was signed in, because a signed-in page could still send requests when its session ends.
  const account = await createAccount(browserContext);
  await browserContext.clearCookies();
  await page.reload();
  await openLibrary(page);
  await choose(page, wav);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Email' }).fill(account.email);
  await dialog.getByLabel('Password', { exact: true }).fill(account.password);
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(rowOf(page, wav.name)).toContainText('Imported', { timeout: 60_000 });
});
