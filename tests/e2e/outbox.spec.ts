import type { Page } from '@playwright/test';
import { expect, test } from './earshot-test.ts';
import {
  listed,
  onlyReadyRecording,
  outboxOf,
  receiptOf,
  signUp,
  startTake,
  stopTake,
  takesOnDevice,
  untilClock,
} from './steps.ts';

const goTo = (page: Page, name: 'Library' | 'Trash'): Promise<void> =>
  page.getByRole('link', { name, exact: true }).first().click();
const firstRow = (page: Page) => page.getByRole('main').getByRole('listitem').first();

async function record(page: Page): Promise<void> {
  await startTake(page);
  await untilClock(page, 1500);
  await stopTake(page);
}

async function rename(page: Page, title: string): Promise<void> {
  await page.getByRole('button', { name: 'Rename' }).first().click();
  await page.getByRole('textbox', { name: 'Title' }).fill(title);
  await page.keyboard.press('Enter');
  await expect(page.getByText(new RegExp(`Renamed to .{0,3}${title}`))).toBeVisible();
}

/** Lets a test advance the clock of the take worker, to avoid waiting for time to pass. */
async function setWorkerClockForward(page: Page): Promise<void> {
  await page.route(/take\.worker/, async (route) => {
    const reply = await route.fetch();
    const clock =
      'const realNow = Date.now.bind(Date); let aheadMs = 0; Date.now = () => realNow() + aheadMs; new BroadcastChannel("worker-clock").onmessage = ({ data }) => { aheadMs = data; };';
    await route.fulfill({ response: reply, body: `{ ${clock} }${await reply.text()}` });
  });
}

test('a take renamed and trashed offline is renamed and trashed on the server once online', async ({
  page,
  browserContext,
  consoleGuard,
}) => {
  consoleGuard.allow(/ERR_INTERNET_DISCONNECTED/);
  await signUp(page);
  await record(page);
  await expect.poll(() => receiptOf(page)).toBe(true);
  const { id } = await onlyReadyRecording(page);
  await goTo(page, 'Library');
  await expect(firstRow(page)).toBeVisible();
  // Loads the code that the next steps need.
  await page.getByRole('button', { name: 'Rename' }).first().click();
  await expect(page.getByRole('textbox', { name: 'Title' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await browserContext.setOffline(true);
  await rename(page, 'The well');
  await page.getByRole('button', { name: 'Move to trash' }).first().click();
  await expect(page.getByText(/Moved .*The well.* to the trash/)).toBeVisible();

  await browserContext.setOffline(false);
  await expect
    .poll(async () =>
      (await listed(page, '?trashed=true')).map((recording) => [recording.id, recording.title]),
    )
    .toEqual([[id, 'The well']]);
  expect(await listed(page)).toEqual([]);
});

/** Stores the pending changes of every take under the name that builds before the first release used. */
const storeAsFormerBuild = (page: Page): Promise<void> =>
  page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('earshot');
        opening.addEventListener('error', () => {
          reject(opening.error ?? new Error('the database could not be opened'));
        });
        opening.addEventListener('success', () => {
          const transaction = opening.result.transaction('takes', 'readwrite');
          const takes = transaction.objectStore('takes');
          const all = takes.getAll();
          all.addEventListener('success', () => {
            for (const { pendingChanges, ...take } of all.result)
              takes.put({ ...take, ['untold']: pendingChanges.map(({ kind }: { kind: string }) => kind) });
          });
          transaction.addEventListener('complete', () => {
            opening.result.close();
            resolve();
          });
        });
      }),
  );

test('a change that an earlier build stored offline reaches the server', async ({
  page,
  browserContext,
  consoleGuard,
}) => {
  consoleGuard.allow(/ERR_INTERNET_DISCONNECTED/);
  await signUp(page);
  await record(page);
  await expect.poll(() => receiptOf(page)).toBe(true);
  await goTo(page, 'Library');
  await page.getByRole('button', { name: 'Rename' }).first().click();
  await page.getByRole('textbox', { name: 'Title' }).fill('The well');
  await browserContext.setOffline(true);
  await page.keyboard.press('Enter');
  await expect(page.getByText(/Renamed to .{0,3}The well/)).toBeVisible();
  await expect.poll(async () => (await takesOnDevice(page))[0]?.pendingChanges).toEqual([{ kind: 'title' }]);
  await storeAsFormerBuild(page);

  await browserContext.setOffline(false);
  await expect.poll(async () => (await listed(page)).map(({ title }) => title)).toEqual(['The well']);
});

test('the outbox has its own database, so that an earlier build can still open the takes’ database', async ({
  page,
}) => {
  await signUp(page);
  await record(page);
  const versions = () =>
    page.evaluate(async () =>
      Object.fromEntries((await indexedDB.databases()).map(({ name, version }) => [name, version])),
    );
  await expect.poll(versions).toMatchObject({ earshot: 2, 'earshot-outbox': 1 });
});

/** Whether the only recording is a favourite on the server. */
const isStarred = async (page: Page): Promise<boolean> =>
  (await listed(page, '?favourite=true')).length === 1;

test('a star set offline is shown after a reload and in another tab, and sent later', async ({
  page,
  browserContext,
  consoleGuard,
}) => {
  consoleGuard.allow(/ERR_FAILED|Failed to load resource/);
  await signUp(page);
  await record(page);
  await onlyReadyRecording(page);
  await browserContext.route('**/api/recordings/*/favourite', (route) => route.abort());
  await page.goto('/library');
  const star = (on: Page) => firstRow(on).getByRole('button', { name: /^Favourite/ });
  await star(page).click();
  await expect.poll(async () => outboxOf(page)).toMatchObject([{ kind: 'favourite' }]);
  await page.reload();
  await expect(star(page)).toHaveAttribute('aria-pressed', 'true');
  const other = await browserContext.newPage();
  await other.goto('/library');
  await expect(star(other)).toHaveAttribute('aria-pressed', 'true');
  await star(other).click();
  await expect(star(page)).toHaveAttribute('aria-pressed', 'false');
  await star(other).click();
  expect(await isStarred(page)).toBe(false);
  await browserContext.unroute('**/api/recordings/*/favourite');
  await page.reload();
  await expect.poll(() => isStarred(page)).toBe(true);
  await expect.poll(async () => outboxOf(page)).toEqual([]);
});

test('sends a star that an earlier build stored', async ({ page }) => {
  await signUp(page);
  await record(page);
  const { id } = await onlyReadyRecording(page);
  await page.evaluate(async (recordingId) => {
    const { user } = (await (await fetch('/auth/session')).json()) as { user: { id: string } };
    localStorage.setItem(
      'earshot.favourites',
      JSON.stringify({ userId: user.id, stars: [[recordingId, true]] }),
    );
  }, id);
  await page.reload();
  await expect.poll(() => isStarred(page)).toBe(true);
  expect(await page.evaluate(() => localStorage.getItem('earshot.favourites'))).toBeNull();
});

test('a copy with an unsent change cannot be removed before the server has it, and the screen says so', async ({
  page,
  browserContext,
  consoleGuard,
}) => {
  consoleGuard.allow(/ERR_INTERNET_DISCONNECTED/);
  await signUp(page);
  await record(page);
  await expect.poll(() => receiptOf(page)).toBe(true);
  await page.goto('/settings/storage');
  const removeCopy = page.getByRole('button', { name: 'Remove copy', exact: true });
  await expect(removeCopy).toBeVisible();
  await goTo(page, 'Library');
  await page.getByRole('button', { name: 'Rename' }).first().click();
  await page.getByRole('textbox', { name: 'Title' }).fill('The well');
  await browserContext.setOffline(true);
  await page.keyboard.press('Enter');
  await expect(page.getByText(/Renamed to .{0,3}The well/)).toBeVisible();
  await page.goBack();
  await removeCopy.click();
  await expect(
    page.getByRole('alertdialog').filter({ hasText: /can’t reach the server|offline/i }),
  ).toBeVisible();
  expect(await takesOnDevice(page)).toHaveLength(1);

  await browserContext.setOffline(false);
  await removeCopy.click();
  await expect.poll(() => takesOnDevice(page)).toEqual([]);
  expect((await listed(page)).map(({ title }) => title)).toEqual(['The well']);
});

test('a take recorded and renamed offline is uploaded with its name', async ({
  page,
  browserContext,
  consoleGuard,
}) => {
  consoleGuard.allow(/ERR_INTERNET_DISCONNECTED/);
  await signUp(page);
  await goTo(page, 'Library');
  await page.getByRole('link', { name: 'Record', exact: true }).first().click();
  await browserContext.setOffline(true);
  await record(page);
  await goTo(page, 'Library');
  await rename(page, 'The well');
  await browserContext.setOffline(false);
  await expect
    .poll(async () => (await listed(page)).map(({ state, title }) => [state, title]))
    .toEqual([['ready', 'The well']]);
});

test('a take of this device is moved to the trash even if the page closes immediately', async ({
  page,
  browserContext,
}) => {
  await signUp(page);
  await record(page);
  await expect.poll(() => receiptOf(page)).toBe(true);
  const { id } = await onlyReadyRecording(page);
  await page.goto(`/recordings/${id}`);
  const trash = page.getByRole('button', { name: 'Move to trash' });
  await expect(trash).toBeVisible();
  const another = await browserContext.newPage();
  await trash.evaluate((button: HTMLElement) => {
    button.click();
  });
  await page.close();
  await another.goto('/settings/storage');
  await expect(another.getByRole('button', { name: 'Empty trash' })).toBeVisible();
  expect((await listed(another, '?trashed=true')).map((recording) => recording.id)).toEqual([id]);
});

test('nothing is deleted permanently offline: it stays in the trash until the server can be reached', async ({
  page,
  browserContext,
  consoleGuard,
}) => {
  consoleGuard.allow(/ERR_INTERNET_DISCONNECTED/);
  await signUp(page);
  await record(page);
  await expect.poll(() => receiptOf(page)).toBe(true);
  const { id } = await onlyReadyRecording(page);
  await page.goto(`/recordings/${id}`);
  await page.getByRole('button', { name: 'Move to trash' }).click();
  await expect(page.getByText(/Moved .* to the trash/)).toBeVisible();
  await goTo(page, 'Trash');
  const deletePermanently = async () => {
    await page.getByRole('button', { name: 'Delete permanently' }).first().click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete permanently' }).click();
  };
  await expect(page.getByRole('button', { name: 'Delete permanently' }).first()).toBeVisible();
  await browserContext.setOffline(true);
  await deletePermanently();
  const message = (text: string | RegExp) => page.getByRole('alertdialog').filter({ hasText: text });
  // Not the notice above the list: it shows before the deletion was tried, which would then succeed.
  await expect(message(/Can’t reach the server/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Delete permanently' }).first()).toBeVisible();
  await browserContext.setOffline(false);
  await deletePermanently();
  await expect(message('permanently deleted')).toBeVisible();
  expect(await listed(page, '?trashed=true')).toEqual([]);
});

test('a marker already on the server can be renamed offline, and the server gets the name once online', async ({
  page,
  browserContext,
  consoleGuard,
}) => {
  consoleGuard.allow(/ERR_INTERNET_DISCONNECTED/);
  await setWorkerClockForward(page);
  await signUp(page);
  await startTake(page);
  await page.getByRole('button', { name: 'Add marker', exact: true }).click();
  await expect.poll(async () => (await takesOnDevice(page))[0]?.markers).toHaveLength(1);
  const [{ id } = { id: '' }] = await takesOnDevice(page);
  // A marker is sent thirty seconds after it was set, because it is usually named in that time.
  await page.evaluate(() => {
    new BroadcastChannel('worker-clock').postMessage(31_000);
  });
  const labels = () =>
    page.evaluate(
      async (recordingId) =>
        (
          (await (await fetch(`/api/recordings/${recordingId}/markers`)).json()) as {
            items: { label: string }[];
          }
        ).items.map(({ label }) => label),
      id,
    );
  await expect.poll(labels).toEqual(['']);

  await browserContext.setOffline(true);
  await page.getByRole('textbox', { name: /Name for the marker/ }).fill('The well');
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await takesOnDevice(page))[0]?.pendingChanges).toHaveLength(1);
  await browserContext.setOffline(false);
  await expect.poll(labels).toEqual(['The well']);
  await expect.poll(async () => (await takesOnDevice(page))[0]?.pendingChanges).toEqual([]);
  await stopTake(page);
  await onlyReadyRecording(page);
  expect(await labels()).toEqual(['The well']);
});

test('a page opened offline deletes nothing permanently, and a marker set there reaches the server', async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allow(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to load resource/);
  await signUp(page);
  await record(page);
  await expect.poll(() => receiptOf(page)).toBe(true);
  const { id } = await onlyReadyRecording(page);
  // Simulates a page from the cache: its code loads, but the server cannot be reached.
  await page.route(/\/(api|auth)\//, (route) => route.abort());
  await page.goto(`/recordings/${id}`);
  await page.getByRole('button', { name: 'Add marker', exact: true }).first().click();
  await expect.poll(async () => (await takesOnDevice(page))[0]?.pendingChanges).toHaveLength(1);
  await page.getByRole('button', { name: 'Move to trash' }).click();
  await expect(page.getByText(/Moved .* to the trash/)).toBeVisible();
  await goTo(page, 'Trash');
  await page.getByRole('button', { name: 'Delete permanently' }).first().click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete permanently' }).click();
  await expect(page.getByText(/Can’t reach the server/).first()).toBeVisible();
  expect(await takesOnDevice(page)).toHaveLength(1);
  await page.unroute(/\/(api|auth)\//);
  await page.reload();
  await expect
    .poll(async () => (await listed(page, '?trashed=true')).map((recording) => recording.id))
    .toEqual([id]);
  const markers = () =>
    page.evaluate(
      async (recordingId) =>
        ((await (await fetch(`/api/recordings/${recordingId}/markers`)).json()) as { items: unknown[] }).items
          .length,
      id,
    );
  await expect.poll(markers).toBe(1);
});

test('a take that continued offline before its page closed is uploaded at the next visit', async ({
  page,
  browserContext,
  consoleGuard,
}) => {
  consoleGuard.allow(/ERR_INTERNET_DISCONNECTED/);
  await signUp(page);
  await startTake(page);
  await untilClock(page, 2000);
  await page.close();
  const second = await browserContext.newPage();
  await second.goto('/');
  await expect(second.getByRole('button', { name: 'Continue recording' })).toBeVisible();
  await expect.poll(() => receiptOf(second)).toBe(true);
  const { durationMs } = await onlyReadyRecording(second);
  await browserContext.setOffline(true);
  await second.getByRole('button', { name: 'Continue recording' }).click();
  await untilClock(second, durationMs + 3000);
  await stopTake(second);
  await expect(second.getByText(/saved on this device/i).first()).toBeVisible();
  await second.close();
  await browserContext.setOffline(false);
  const third = await browserContext.newPage();
  await third.goto('/');
  await expect.poll(() => receiptOf(third)).toBe(true);
  expect((await onlyReadyRecording(third)).durationMs).toBeGreaterThan(durationMs + 2500);
});
