import type { Page } from '@playwright/test';
import type { Note } from '#contract/notes-api.ts';
import { killBrowserOf } from '#tests/support/browser-processes.ts';
import { expect, openBrowser, test } from './earshot-test.ts';
import {
  listed,
  newUser,
  onlyReadyRecording,
  expireSessions,
  signIn,
  signUp,
  startTake,
  stopTake,
  submitAccount,
  takesOnDevice,
  untilClock,
} from './steps.ts';

const noteField = (page: Page) => page.getByRole('textbox', { name: /^Note at/ });

const notesOf = (page: Page, id: string): Promise<Note[]> =>
  page.evaluate(
    async (recordingId) =>
      ((await (await fetch(`/api/recordings/${recordingId}/notes`)).json()) as { items: Note[] }).items,
    id,
  );

/** Waits for the notes of a recording: they are sent by calls of their own, after it may be ready. */
const expectNotes = (page: Page, id: string, texts: readonly string[]): Promise<void> =>
  expect.poll(async () => (await notesOf(page, id)).map(({ text }) => text)).toEqual(texts);

const notesOnDisk = async (page: Page): Promise<string[]> =>
  (await takesOnDevice(page)).flatMap(({ notes = [] }) => notes.map(({ text }) => text));

test('a note typed during a take triggers no shortcut, its Enter stops nothing, and it uploads once', async ({
  page,
}) => {
  await signUp(page);
  await startTake(page);
  await untilClock(page, 1000);
  // Stop has the focus because Record was pressed.
  await page.keyboard.press('n');
  await page.keyboard.type('map n');
  await expect(noteField(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.type('**pier**');
  await page.keyboard.press('Escape');
  await expect(page.locator('strong', { hasText: 'pier' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).not.toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Space');
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Markers' })).toHaveCount(0);

  await page.getByRole('button', { name: 'Add note', exact: true }).click();
  await page.keyboard.type('By mistake');
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('button', { name: 'Add note', exact: true })).toBeFocused();
  await page
    .getByRole('button', { name: /^Delete the note/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await page
    .getByRole('button', { name: /^Edit the note/ })
    .first()
    .click();
  await noteField(page).fill('On purpose');
  await page.getByRole('button', { name: 'Add note', exact: true }).click();
  await expect(noteField(page)).toHaveValue('');
  await stopTake(page);

  const { id, durationMs } = await onlyReadyRecording(page);
  await expectNotes(page, id, ['map n\n**pier**', 'On purpose']);
  for (const { fromMs } of await notesOf(page, id)) expect(fromMs).toBeLessThanOrEqual(durationMs);

  await page.getByRole('button', { name: 'Continue recording', exact: true }).click();
  await untilClock(page, durationMs + 1000);
  await page.getByRole('button', { name: 'Add note', exact: true }).click();
  await page.keyboard.type('In the second part');
  await stopTake(page);
  await expectNotes(page, id, ['map n\n**pier**', 'On purpose', 'In the second part']);
});

test('writing a note moves no button, and leaves title, clock and Stop on the screen', async ({ page }) => {
  const title = page.getByRole('textbox', { name: 'Title' });
  const stop = page.getByRole('button', { name: 'Stop', exact: true });
  const expectStage = async () => {
    for (const part of [title, page.getByRole('timer'), stop])
      await expect(part).toBeInViewport({ ratio: 1 });
  };
  await startTake(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('button', { name: 'Add note', exact: true }).hover();
  const before = await stop.boundingBox();
  await page.getByRole('button', { name: 'Add note', exact: true }).click();
  await expect(noteField(page)).toBeFocused();
  expect(await stop.boundingBox()).toEqual(before);
  await expectStage();
  await page.keyboard.type('Slide 3');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('region', { name: 'Notes' })).toContainText('Slide 3');
  await expectStage();

  // A phone on its side.
  await page.setViewportSize({ width: 844, height: 390 });
  await page.getByRole('button', { name: 'Add note', exact: true }).click();
  await expect(noteField(page)).toBeFocused();
  await expect(noteField(page)).toBeInViewport({ ratio: 1 });
  await expectStage();
});

test('a note that is closed before the recorder has taken in its text is kept', async ({ page }) => {
  await page.addInitScript(() => {
    const { Worker } = globalThis;
    globalThis.Worker = class extends Worker {
      override addEventListener(...[type, handle, options]: Parameters<Worker['addEventListener']>) {
        const later = (event: Event) => {
          const isOfNotes =
            event instanceof MessageEvent && (event.data as { type?: string }).type === 'notes';
          setTimeout(() => typeof handle === 'function' && handle.call(this, event), isOfNotes ? 700 : 0);
        };
        super.addEventListener(type, later, options);
      }
    };
  });
  await signUp(page);
  await startTake(page);
  await page.getByRole('button', { name: 'Add note', exact: true }).click();
  await expect(noteField(page)).toBeFocused();
  await page.keyboard.type('Said quickly');
  await page.keyboard.press('Escape');
  await expect.poll(() => notesOnDisk(page)).toEqual(['Said quickly']);
  await expect(page.getByRole('region', { name: 'Notes' }).getByText('Said quickly')).toBeVisible();
  await stopTake(page);
  await expectNotes(page, (await onlyReadyRecording(page)).id, ['Said quickly']);
});

test("a signed-out user's note is stored with every key, survives a killed browser, and moves to the account", async ({
  page,
  profile,
  server,
  consoleGuard,
}) => {
  await startTake(page);
  await untilClock(page, 1500);
  await page.keyboard.press('n');
  await expect(noteField(page)).toBeFocused();
  await page.keyboard.type('Ask for the let');
  await expect.poll(() => notesOnDisk(page)).toEqual(['Ask for the let']);
  killBrowserOf(profile);

  const again = await openBrowser({ profile, baseURL: server.url });
  consoleGuard.watch(again);
  const next = again.pages()[0] ?? (await again.newPage());
  await next.goto(`${server.url}/library`);
  await expect.poll(async () => (await takesOnDevice(next)).map(({ state }) => state)).toEqual(['stopped']);
  const [take] = await takesOnDevice(next);
  await next.goto(`${server.url}/recordings/${take?.id}`);
  await expect(next.getByRole('region', { name: 'Notes' }).getByText('Ask for the let')).toBeVisible();
  await next.goto(`${server.url}/sign-up`);
  await submitAccount(next, newUser(), 'Create account');
  await next
    .getByRole('dialog', { name: '1 recording from before: add it?' })
    .getByRole('button', { name: 'Add to my library' })
    .click();
  await expect
    .poll(async () => (await listed(next)).map(({ state }) => state), { timeout: 60_000 })
    .toEqual(['ready']);
  await expectNotes(next, take?.id ?? '', ['Ask for the let']);
  await again.close();
});

test('a note written offline, after the session ended, uploads with its recording', async ({
  page,
  browserContext,
  server,
  consoleGuard,
}) => {
  consoleGuard.allow(/401|ERR_INTERNET|ERR_FAILED|Failed to load resource/);
  const user = await signUp(page);
  await startTake(page);
  await untilClock(page, 2000);
  await expect.poll(async () => (await listed(page)).length).toBe(1);
  await page.route('**/api/events', (route) => route.abort());
  expireSessions(server.dataDir);
  await browserContext.setOffline(true);
  await page.getByRole('button', { name: 'Add note', exact: true }).click();
  await page.keyboard.type('Said offline');
  await page.keyboard.press('Control+Enter');
  await browserContext.setOffline(false);
  await stopTake(page);
  await expect
    .poll(async () => (await takesOnDevice(page))[0]?.receiptAtMs ?? null, { timeout: 60_000 })
    .not.toBeNull();
  await signIn(page, user);
  const { id } = await onlyReadyRecording(page);
  await expectNotes(page, id, ['Said offline']);
});
