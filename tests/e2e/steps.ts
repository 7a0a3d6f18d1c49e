import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { BrowserContext, Page, Request } from '@playwright/test';
import type { RecordingDetails, RecordingPage } from '#contract/recordings.ts';
import type { OutboxEntry } from '#device/outbox/outbox-entry.ts';
import type { TakeRecord } from '#device/records/take-record.ts';
import { decodeInBrowser } from '#tests/support/compare-speech.ts';
import { filesBelow } from '#tests/support/files-below.ts';
import { appHeaders } from '#tests/support/raw-http.ts';
import { expect } from './earshot-test.ts';

export interface TestUser {
  email: string;
  password: string;
}

let people = 0;
/** A user with a unique e-mail address, without an account yet. */
export const newUser = (): TestUser => ({
  email: `person-${Date.now()}-${(people += 1)}@example.org`,
  password: 'a quiet harbour at dusk 7',
});

/** Fills the account form on the page or in the dialog, and submits it. */
export async function submitAccount(
  page: Page,
  account: TestUser,
  action: 'Sign in' | 'Create account',
): Promise<void> {
  const form = page.locator('form').filter({ has: page.getByRole('textbox', { name: 'Email' }) });
  const email = form.getByRole('textbox', { name: 'Email' });
  // While the providers load, and where there are any, the form is behind a button.
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
  const account = newUser();
  await page.goto('/sign-up');
  await submitAccount(page, account, 'Create account');
  await expect.poll(() => isSignedIn(page)).toBe(true);
  await page.getByRole('link', { name: 'Record', exact: true }).first().click();
  return account;
}

/** Creates an account by an API request, which leaves the browser signed in. Open pages are not notified. */
export async function createAccount(
  context: BrowserContext,
  options: { locale?: string } = {},
): Promise<TestUser & { id: string }> {
  const account = newUser();
  const reply = await context.request.post('/auth/signup', {
    headers: appHeaders,
    data: { ...account, ...options },
  });
  expect(reply.status(), await reply.text()).toBe(201);
  return { ...account, id: ((await reply.json()) as { user: { id: string } }).user.id };
}

/** Creates an account by an API request and opens the recorder, for tests about something else than signing up. */
export async function signUp(page: Page): Promise<TestUser> {
  const locale = await page.evaluate(() => document.documentElement.lang);
  const account = await createAccount(page.context(), locale ? { locale } : {});
  // Waits for the list of recordings, so that a session that the test ends next is noticed by the test's own
  // actions and not by this request.
  const listing = page.waitForResponse((response) => new URL(response.url()).pathname === '/api/recordings');
  await page.goto('/');
  await listing;
  return account;
}

/** Signs in on the sign-in page. */
export async function signIn(page: Page, account: TestUser): Promise<void> {
  await page.goto('/sign-in');
  await submitAccount(page, account, 'Sign in');
  await expect.poll(() => isSignedIn(page)).toBe(true);
}

/**
 * Opens a page and waits until it has this heading and no request is pending, so that the test's own action is the first to notice a session
 * that it ends next. The event stream never connects, because its connection would later reload the lists.
 */
export async function openQuietly(page: Page, path: string, heading: string): Promise<void> {
  await page.route('**/api/events*', () => new Promise(() => {}));
  const pending = new Set<Request>();
  const isShort = (request: Request) => /\/api\/(?!events)/.test(request.url());
  page.on('request', (request) => {
    if (isShort(request)) pending.add(request);
  });
  page.on('requestfinished', (request) => {
    pending.delete(request);
  });
  page.on('requestfailed', (request) => {
    pending.delete(request);
  });
  await page.goto(path);
  await expect(page.getByRole('button', { name: /’s account$/ })).toBeVisible();
  await expect(page.getByRole('heading', { name: heading })).toBeVisible();
  await expect.poll(() => pending.size).toBe(0);
}

/** Marks the page, so that `isSamePage` notices a reload. */
export const markPage = (page: Page): Promise<void> =>
  page.evaluate(() => {
    Object.assign(globalThis, { isMarked: true });
  });
/** Whether the page has not been reloaded since `markPage`. */
export const isSamePage = (page: Page): Promise<boolean> => page.evaluate(() => 'isMarked' in globalThis);

/** Signs out by the menu of the account. */
export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /’s account$/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
  await expect.poll(() => isSignedIn(page)).toBe(false);
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

/** Presses Record and waits until audio has been captured. */
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

/** The server's list of recordings, as the signed-in page gets it. */
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

/** Waits until the server has exactly one recording and it is ready, and returns it. */
export async function onlyReadyRecording(page: Page): Promise<RecordingDetails> {
  await expect
    .poll(async () => (await listed(page)).map((recording) => recording.state), { timeout: 60_000 })
    .toEqual(['ready']);
  const [recording] = await listed(page);
  if (!recording) throw new Error('the list is empty');
  return details(page, recording.id);
}

/**
 * All values of an object store in one of the browser's databases. Empty if the app has not created the database
 * yet.
 */
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
          else reject(opening.error ?? new Error('the database could not be opened'));
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

/** All takes in this device's database. */
export const takesOnDevice = (page: Page): Promise<TakeRecord[]> => storedOnDevice(page, 'earshot', 'takes');

/** The changes that this browser still has to send to the server. */
export const outboxOf = (page: Page): Promise<OutboxEntry[]> =>
  storedOnDevice(page, 'earshot-outbox', 'entries');

/**
 * The name of the file that holds the only take's audio, in the folder `slots` of the browser's private file
 * system.
 */
export async function audioSlotOf(page: Page): Promise<string> {
  const [take] = await takesOnDevice(page);
  const slot = take?.segments[0]?.audioSlot;
  if (!slot) throw new Error('the take has no audio file');
  return slot;
}

/** Whether the device has the server's receipt for its only take. */
export async function receiptOf(page: Page): Promise<boolean> {
  const takes = await takesOnDevice(page);
  return takes.length === 1 && takes[0]?.receiptAtMs !== null;
}

/** The total size of the audio files on the server's disk. */
export const audioBytesOnDisk = (dataDir: string): number =>
  filesBelow(dataDir)
    .filter(({ path }) => /audio-\d{4}/.test(basename(path)))
    .reduce((sum, { stats }) => sum + stats.size, 0);

/** The result of a take on the server. On a slow machine the fake microphone stalls, which is named as a gap. */
export const onServerSentence =
  /(Your recording is complete and|Everything recorded is) saved on the server\./;

/**
 * The gaps that a test has to account for. Chromium's fake microphone is a timer: on a slow machine it delivers
 * nothing for some tenths of a second, which is correctly recorded as a gap.
 */
export const gapsOf = ({ gaps }: RecordingDetails): RecordingDetails['gaps'] =>
  gaps.filter(({ cause, durationMs }) => !['browser-busy', 'unknown'].includes(cause) || durationMs > 300);

/** Expects a recording without gaps whose audio is as long as its duration. */
export async function expectWhole(page: Page, recording: RecordingDetails, atLeastMs: number): Promise<void> {
  expect(gapsOf(recording)).toEqual([]);
  await expectSound(page, recording, atLeastMs);
}

/**
 * Expects a recording whose audio is as long as its duration, and which ends with a gap for what the killed page
 * may have lost.
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

/** Decodes all of a recording's audio and compares its length with the recording's duration. */
async function expectSound(page: Page, recording: RecordingDetails, atLeastMs: number): Promise<void> {
  expect(recording.durationMs).toBeGreaterThanOrEqual(atLeastMs);
  const heard = await decodeInBrowser(page, `/api/recordings/${recording.id}/audio`);
  expect(Math.abs(heard.durationMs - recording.durationMs)).toBeLessThanOrEqual(50);
}

export const positionMs = async (page: Page): Promise<number> =>
  Number(await page.getByRole('slider', { name: 'Position' }).first().getAttribute('aria-valuenow'));

/** Ends the session on the server, as another device would, and deletes the browser's cookies. */
export async function revokeSession(context: BrowserContext): Promise<void> {
  const reply = await context.request.post('/auth/logout', { headers: appHeaders });
  expect(reply.status()).toBe(204);
  await context.clearCookies();
}

/** Runs a statement on the database of a running server. Waits while the server writes. */
export function changeDatabase(dataDir: string, statement: string): void {
  const database = new DatabaseSync(join(dataDir, 'earshot.db'), { timeout: 10_000 });
  database.exec(statement);
  database.close();
}

/** Ends every session as time does, which leaves upload capabilities alone. A sign-out ends them. */
export const expireSessions = (dataDir: string): void =>
  changeDatabase(dataDir, 'UPDATE sessions SET idle_expires_at = 0');

/** Ages the last authentication of every session by an hour, so that sensitive changes need a new one. */
export const ageProofs = (dataDir: string): void =>
  changeDatabase(
    dataDir,
    'UPDATE sessions SET auth_time = auth_time - 3600000, proven_at = proven_at - 3600000',
  );

/** Confirms the user's identity with the password, in the dialog that asks for it. */
export async function confirmWithPassword(page: Page, account: TestUser): Promise<void> {
  await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(account.password);
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm', exact: true }).click();
}

/**
 * Waits until the service worker has cached the app and controls this page. Polls instead of using
 * `waitForFunction`, which takes an async function's promise as true.
 */
export async function untilSaved(page: Page): Promise<void> {
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
