import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { BrowserContext, Page } from '@playwright/test';
import type { RecordingDetails, RecordingPage } from '#contract/recordings.ts';
import type { OutboxEntry } from '#device/outbox/outbox-entry.ts';
import type { TakeRecord } from '#device/takes/take-record.ts';
import { decodeInBrowser } from '#tests/support/compare-speech.ts';
import { appHeaders } from '#tests/support/raw-http.ts';
import { expect } from './earshot-test.ts';

export interface TestUser {
  email: string;
  password: string;
}

let people = 0;
/** Somebody new. */
export const somebody = (): TestUser => ({
  email: `person-${Date.now()}-${(people += 1)}@example.org`,
  password: 'a quiet harbour at dusk 7',
});

/** Fills the form that is on the screen, page or dialog, and sends it. */
export async function submitAccount(
  page: Page,
  account: TestUser,
  action: 'Sign in' | 'Create account',
): Promise<void> {
  const form = page.locator('form').filter({ has: page.getByRole('textbox', { name: 'Email' }) });
  const email = form.getByRole('textbox', { name: 'Email' });
  // Where there are providers the form is behind a button; until they are known, too.
  const useEmail = page.getByRole('button', { name: 'Use email', exact: true });
  await expect(async () => {
    if (await useEmail.isVisible()) await useEmail.click({ timeout: 1000 });
    await expect(email).toBeVisible({ timeout: 1000 });
  }).toPass();
  await email.fill(account.email);
  await form.getByLabel('Password', { exact: true }).fill(account.password);
  await form.getByRole('button', { name: action, exact: true }).click();
}

/** Creates an account through the screen. */
export async function signUpOnScreen(page: Page): Promise<TestUser> {
  const account = somebody();
  await page.goto('/sign-up');
  await submitAccount(page, account, 'Create account');
  await expect.poll(() => isSignedIn(page)).toBe(true);
  await page.getByRole('link', { name: 'Record', exact: true }).first().click();
  return account;
}

/** Creates an account by a call and leaves the browser signed in to it; no page hears of it. */
export async function createAccount(
  context: BrowserContext,
  options: { locale?: string } = {},
): Promise<TestUser & { id: string }> {
  const account = somebody();
  const reply = await context.request.post('/auth/signup', {
    headers: appHeaders,
    data: { ...account, ...options },
  });
  expect(reply.status(), await reply.text()).toBe(201);
  return { ...account, id: ((await reply.json()) as { user: { id: string } }).user.id };
}

/**
 * Opens the recorder as somebody with a new account: for tests about something else, which need not fill in
 * its form each time.
 */
export async function signUp(page: Page): Promise<TestUser> {
  const locale = await page.evaluate(() => document.documentElement.lang);
  const account = await createAccount(page.context(), locale ? { locale } : {});
  // The list has come: a session that a test ends next is met by what the test does, not by a call still on
  // its way.
  const listing = page.waitForResponse((response) => new URL(response.url()).pathname === '/api/recordings');
  await page.goto('/');
  await listing;
  return account;
}

/** Signs in on the page of its own. */
export async function signIn(page: Page, account: TestUser): Promise<void> {
  await page.goto('/sign-in');
  await submitAccount(page, account, 'Sign in');
  await expect.poll(() => isSignedIn(page)).toBe(true);
}

export async function isSignedIn(page: Page): Promise<boolean> {
  return page.evaluate(async () => {
    const session: unknown = await (await fetch('/auth/session')).json();
    return typeof session === 'object' && session !== null && 'user' in session && session.user !== null;
  });
}

export const clockMs = async (page: Page): Promise<number> => {
  const text = (await page.getByRole('timer').first().innerText()).replace(/[^\d:.]/g, '');
  return text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0) * 1000;
};

/** Presses Record and waits until sound has been captured. */
export async function startTake(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toBeVisible();
  await untilClock(page, 300);
}

export async function untilClock(page: Page, ms: number): Promise<void> {
  await expect.poll(() => clockMs(page), { timeout: 60_000, intervals: [100] }).toBeGreaterThanOrEqual(ms);
}

export const stopTake = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Stop', exact: true }).click();

/** The server's own list, as the signed-in page sees it. */
export async function listed(page: Page, query = ''): Promise<RecordingPage['items']> {
  return page.evaluate(async (search) => {
    const reply = await fetch(`/api/recordings${search}`);
    if (!reply.ok) throw new Error(`${reply.status}`);
    return ((await reply.json()) as RecordingPage).items;
  }, query);
}

async function details(page: Page, id: string): Promise<RecordingDetails> {
  return page.evaluate(
    async (recordingId) => (await (await fetch(`/api/recordings/${recordingId}`)).json()) as RecordingDetails,
    id,
  );
}

/** Waits until the server has one finished recording and answers with it. */
export async function onlyReadyRecording(page: Page): Promise<RecordingDetails> {
  await expect
    .poll(async () => (await listed(page)).map((recording) => recording.state), { timeout: 60_000 })
    .toEqual(['ready']);
  const [recording] = await listed(page);
  if (!recording) throw new Error('the list is empty');
  return details(page, recording.id);
}

/** All values of a store of one of the browser's databases; none where the app has not made the database yet. */
const storedOnDevice = <Value>(page: Page, database: string, store: string): Promise<Value[]> =>
  page.evaluate(
    ([databaseName, name]) =>
      new Promise<Value[]>((resolve, reject) => {
        const opening = indexedDB.open(databaseName);
        opening.addEventListener('upgradeneeded', () => {
          opening.transaction?.abort();
        });
        opening.addEventListener('error', () => {
          if (opening.error?.name === 'AbortError') resolve([]);
          else reject(opening.error ?? new Error('no database'));
        });
        opening.addEventListener('success', () => {
          const database = opening.result;
          const all = database.transaction(name).objectStore(name).getAll();
          all.addEventListener('success', () => {
            database.close();
            resolve(all.result);
          });
        });
      }),
    [database, store] as const,
  );

/** All takes this device knows, as its own store has them. */
export const takesOnDevice = (page: Page): Promise<TakeRecord[]> => storedOnDevice(page, 'earshot', 'takes');

/** What this browser has to send to the server later. */
export const outboxOf = (page: Page): Promise<OutboxEntry[]> =>
  storedOnDevice(page, 'earshot-outbox', 'entries');

/**
 * The name of the file, in the folder `slots` of the browser's private file system, that holds the sound of
 * the only take.
 */
export async function audioSlotOf(page: Page): Promise<string> {
  const [take] = await takesOnDevice(page);
  const slot = take?.segments[0]?.audioSlot;
  if (!slot) throw new Error('no file holds the take');
  return slot;
}

/** Whether the device has the server's receipt for the one take it knows. */
export async function receiptOf(page: Page): Promise<boolean> {
  const takes = await takesOnDevice(page);
  return takes.length === 1 && takes[0]?.receiptAtMs !== null;
}

/** How many bytes of audio lie on the server's disk, however they got there. */
export function audioBytesOnDisk(dataDir: string): number {
  const files = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && /audio-\d{4}/.test(entry.name),
  );
  return files.reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0);
}

/**
 * The gaps that a test has to answer for. Chromium's mock microphone is a timer: on a busy machine it gives
 * nothing for some tenths of a second, which is then named as it should be.
 */
export const gapsOf = ({ gaps }: RecordingDetails): RecordingDetails['gaps'] =>
  gaps.filter(({ cause, durationMs }) => cause !== 'unknown' || durationMs > 300);

/** Expects a recording without gaps that sounds as long as it says. */
export async function expectWhole(page: Page, recording: RecordingDetails, atLeastMs: number): Promise<void> {
  expect(gapsOf(recording)).toEqual([]);
  await expectSound(page, recording, atLeastMs);
}

/**
 * Expects a recording that sounds as long as it says, and names at its end what the death of its page may
 * have taken.
 */
export async function expectKilled(
  page: Page,
  recording: RecordingDetails,
  atLeastMs: number,
): Promise<void> {
  expect(gapsOf(recording)).toEqual([
    { cause: 'page-killed', atMs: recording.durationMs, durationMs: expect.any(Number) },
  ]);
  await expectSound(page, recording, atLeastMs);
}

/** Compares what a recording's audio says with its own facts: decodes all of it. */
async function expectSound(page: Page, recording: RecordingDetails, atLeastMs: number): Promise<void> {
  expect(recording.durationMs).toBeGreaterThanOrEqual(atLeastMs);
  const heard = await decodeInBrowser(page, `/api/recordings/${recording.id}/audio`);
  expect(Math.abs(heard.durationMs - recording.durationMs)).toBeLessThanOrEqual(50);
}

export const positionMs = async (page: Page): Promise<number> =>
  Number(await page.getByRole('slider', { name: 'Position' }).first().getAttribute('aria-valuenow'));

/** Ends the session on the server, as from another device, and takes the cookie away here. */
export async function revokeSession(context: BrowserContext): Promise<void> {
  const reply = await context.request.post('/auth/logout', { headers: appHeaders });
  expect(reply.status()).toBe(204);
  await context.clearCookies();
}

/** Changes what a running server has stored, as time would; waits while the server itself writes. */
export function changeDatabase(dataDir: string, statement: string): void {
  const database = new DatabaseSync(join(dataDir, 'earshot.db'), { timeout: 10_000 });
  database.exec(statement);
  database.close();
}

/** Lets the proofs of everybody grow old, as ten minutes would. */
export const ageProofs = (dataDir: string): void =>
  changeDatabase(
    dataDir,
    'UPDATE sessions SET auth_time = auth_time - 3600000, proven_at = proven_at - 3600000',
  );

/** Proves with the password, in the dialog that asks whether it is still the same person. */
export async function givePassword(page: Page, account: TestUser): Promise<void> {
  await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(account.password);
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm', exact: true }).click();
}

/**
 * Resolves when the service worker has everything and serves this page. A function that a page waits for must
 * not be asynchronous: its promise would do.
 */
export async function untilKept(page: Page): Promise<void> {
  await expect
    .poll(() =>
      page.evaluate(
        async () =>
          (await navigator.serviceWorker.ready).active?.state === 'activated' &&
          navigator.serviceWorker.controller !== null,
      ),
    )
    .toBe(true);
}
