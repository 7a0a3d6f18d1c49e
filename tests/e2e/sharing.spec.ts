import type { BrowserContext, Locator, Page } from '@playwright/test';
import { cookieHeader } from '#tests/support/cookie-header.ts';
import type { EarshotServer } from '#tests/support/earshot-server.ts';
import { uploadGappedRecording } from '#tests/support/gapped-recording.ts';
import { appHeaders } from '#tests/support/raw-http.ts';
import { expect, openBrowser, sharedTest, test } from './earshot-test.ts';
import { callAs } from './listening-steps.ts';
import { onlyReadyRecording, signUp, startTake, stopTake } from './steps.ts';

const sheet = (page: Page) => page.getByRole('dialog', { name: /^Share/ });
const toast = (page: Page, text: RegExp | string) => page.getByRole('region').getByText(text);
const shareButton = (page: Page) =>
  page.getByRole('main').getByRole('button', { name: 'Share', exact: true });

interface StoredLink {
  id: string;
  url: string;
  state: string;
  revision: number;
  hasPassword: boolean;
  fromMs: number;
  toMs: number | null;
  download: string;
  recipientLabel: string;
}

/** The links that the server has, as the signed-in page gets them. */
const storedLinks = (page: Page): Promise<StoredLink[]> =>
  page.evaluate(async () => ((await (await fetch('/api/shares')).json()) as { items: StoredLink[] }).items);

/** Creates an account and a recording of ten seconds with markers, and opens it. */
async function openRecording(
  page: Page,
  { browserContext, server }: { browserContext: BrowserContext; server: EarshotServer },
): Promise<string> {
  await browserContext.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signUp(page);
  const id = await uploadGappedRecording(server.url, await cookieHeader(browserContext, server.url), {
    durationMs: 10_000,
    segments: [{ startMs: 0, durationMs: 10_000 }],
    gaps: [],
  });
  await onlyReadyRecording(page);
  await page.goto(`/recordings/${id}`);
  await expect(shareButton(page)).toBeVisible();
  return id;
}

const copyButton = (page: Page) => sheet(page).getByRole('button', { name: 'Copy link', exact: true });

/** Shares the open recording with the settings that the sheet proposes, and returns the copied address. */
async function shareOnce(page: Page): Promise<string> {
  await shareButton(page).click();
  await copyButton(page).click();
  await expect(toast(page, /^Link copied\./)).toBeVisible();
  return page.evaluate(() => navigator.clipboard.readText());
}

/** Opens the settings of the link that was just created, from the message about it. */
async function openForm(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  return sheet(page);
}

/** Chooses a part of the recording, without saving. */
async function choosePart(form: Locator, from: string, to: string): Promise<void> {
  await form.getByRole('combobox', { name: 'Shared part' }).selectOption({ label: 'Only a part' });
  await form.getByRole('textbox', { name: 'From' }).fill(from);
  await form.getByRole('textbox', { name: 'To' }).fill(to);
}

/** Status of what a link shows to a visitor without a session. */
async function statusFor(context: BrowserContext, url: string): Promise<number> {
  return (await context.request.get(`${url}/recording`)).status();
}

sharedTest(
  'nothing is shared before Copy link, the copied link opens in another browser, and Undo ends it',
  { tag: '@core' },
  async ({ page, browserContext, server }) => {
    await openRecording(page, { browserContext, server });
    await shareButton(page).click();
    await expect(sheet(page)).toContainText('Anyone with the link can listen to the whole recording until');
    await page.keyboard.press('Escape');
    await expect(sheet(page)).toHaveCount(0);
    expect(await storedLinks(page)).toEqual([]);
    const url = await shareOnce(page);
    expect(url).toMatch(/\/s\/[1-9A-HJ-NP-Za-km-z]{22}$/);
    await expect(toast(page, /^Link copied\./)).toContainText(
      'Anyone with the link can listen to the whole recording until',
    );
    await expect(page.getByRole('article').getByText('Shared', { exact: true })).toBeVisible();

    const visitor = await openBrowser({ profile: '', baseURL: server.url });
    expect(await statusFor(visitor, url)).toBe(200);
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect(toast(page, 'Link revoked')).toBeVisible();
    expect(await statusFor(visitor, url)).toBe(410);
    await expect(page.getByRole('article').getByText('Shared', { exact: true })).toHaveCount(0);
    await visitor.close();
  },
);

sharedTest(
  'the sheet shows what the server has, and changes it by one request',
  async ({ page, browserContext, server }) => {
    await openRecording(page, { browserContext, server });
    await shareOnce(page);
    const form = await openForm(page);
    await choosePart(form, '0:02', '0:05');
    await form.getByRole('textbox', { name: 'Name of the link' }).fill('Eve');
    await form.getByRole('button', { name: 'Add password' }).click();
    await expect(form).toContainText(
      'After saving: Anyone with the link and its password can listen to 00:02\u2060–\u206000:05',
    );
    const password = await form.getByRole('textbox', { name: 'New password' }).inputValue();
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(toast(page, 'Link changed')).toBeVisible();
    expect(await storedLinks(page)).toMatchObject([
      { fromMs: 2000, toMs: 5000, hasPassword: true, recipientLabel: 'Eve', download: 'off', revision: 2 },
    ]);
    await expect(form.getByRole('textbox', { name: 'Password', exact: true })).toHaveValue(password);
    await expect(form).not.toContainText('After saving:');
    await expect(form).toContainText(
      'Anyone with the link and its password can listen to 00:02\u2060–\u206000:05',
    );
  },
);

sharedTest(
  'changes are copied only with the link that has them, and are not discarded without a question',
  async ({ page, browserContext, server }) => {
    await openRecording(page, { browserContext, server });
    const url = await shareOnce(page);
    const form = await openForm(page);
    await choosePart(form, '0:02', '0:05');
    await expect(form.getByRole('button', { name: 'Copy link', exact: true })).toHaveCount(0);
    await page.keyboard.press('Escape');
    const question = page.getByRole('alertdialog', { name: 'Discard changes?' });
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await form.getByRole('button', { name: 'Save and copy' }).click();
    await expect(toast(page, 'Link changed')).toBeVisible();
    expect(await storedLinks(page)).toMatchObject([{ fromMs: 2000, toMs: 5000 }]);
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(url);
    await form.getByRole('textbox', { name: 'Name of the link' }).fill('Eve');
    await page.keyboard.press('Escape');
    await question.getByRole('button', { name: 'Discard' }).click();
    await expect(sheet(page)).toHaveCount(0);
    expect(await storedLinks(page)).toMatchObject([{ recipientLabel: '' }]);
  },
);

sharedTest(
  'a message has several lines, as many characters as the form says, and keeps its lines for listeners',
  async ({ page, browserContext, server }) => {
    await openRecording(page, { browserContext, server });
    const url = await shareOnce(page);
    const form = await openForm(page);
    await form.getByText('More options').click();
    const field = form.getByRole('textbox', { name: 'Message to listeners' });
    await expect(field).toHaveAccessibleDescription('Characters left: 1,000');
    await field.fill('First line\n\nLast line');
    await expect(field).toHaveAccessibleDescription('Characters left: 979');
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(toast(page, 'Link changed')).toBeVisible();
    await page.goto(url);
    const message = page.getByText('First line');
    expect(await message.evaluate((element: HTMLElement) => element.innerText)).toBe(
      'First line\n\nLast line',
    );
  },
);

sharedTest(
  'a form that something is wrong with sends nothing, and names the field',
  async ({ page, browserContext, server }) => {
    await openRecording(page, { browserContext, server });
    await shareOnce(page);
    const form = await openForm(page);
    await choosePart(form, '0:05', '0:20');
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(form.getByText('The recording ends before this time.')).toBeVisible();
    expect((await storedLinks(page))[0]?.revision).toBe(1);
  },
);

sharedTest(
  'a link that was changed elsewhere is not overwritten',
  async ({ page, browserContext, server, consoleGuard }) => {
    consoleGuard.allow(/409/);
    await openRecording(page, { browserContext, server });
    await shareOnce(page);
    const form = await openForm(page);
    await form.getByRole('textbox', { name: 'Name of the link' }).fill('Here');
    const [link] = await storedLinks(page);
    await browserContext.request.patch(`/api/shares/${link?.id}`, {
      headers: appHeaders,
      data: { revision: 1, recipientLabel: 'Elsewhere' },
    });
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(form.getByRole('alert')).toContainText(
      'The link was changed elsewhere. You see the newer version.',
    );
    await expect(form.getByRole('textbox', { name: 'Name of the link' })).toHaveValue('Elsewhere');
  },
);

sharedTest(
  'after a failure the sheet shows what the server has',
  async ({ page, browserContext, server, consoleGuard }) => {
    consoleGuard.allow(/Failed to load resource/);
    await openRecording(page, { browserContext, server });
    await shareOnce(page);
    const form = await openForm(page);
    await form.getByRole('button', { name: 'Add password' }).click();
    await page.route('**/api/shares/*', (route) => route.abort());
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(form.getByRole('alert')).toBeVisible();
    await expect(form).toContainText(/Anyone with the link can listen to the whole recording/);
    expect(await storedLinks(page)).toMatchObject([{ hasPassword: false, revision: 1 }]);
    await page.unroute('**/api/shares/*');
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(toast(page, 'Link changed')).toBeVisible();
    expect(await storedLinks(page)).toMatchObject([{ hasPassword: true, revision: 2 }]);
  },
);

sharedTest(
  'the page of links extends and revokes them, and the old address stops',
  async ({ page, browserContext, server }) => {
    await openRecording(page, { browserContext, server });
    const url = await shareOnce(page);
    await page.getByRole('link', { name: 'Library', exact: true }).first().click();
    await page.getByRole('main').getByRole('link', { name: 'Shared', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Shared' })).toBeFocused();
    const item = page.getByRole('main').getByRole('listitem');
    await expect(item).toContainText('Active');
    await item.getByRole('button', { name: 'Extend' }).click();
    await expect(toast(page, /^Link extended until/)).toBeVisible();

    await item.getByRole('button', { name: 'Revoke' }).click();
    const question = page.getByRole('alertdialog', { name: 'Revoke this link?' });
    await expect(question.getByRole('button', { name: 'Keep' })).toBeFocused();
    await question.getByRole('button', { name: 'Revoke' }).click();
    await expect(item).toContainText('Revoked');
    const visitor = await openBrowser({ profile: '', baseURL: server.url });
    expect(await statusFor(visitor, url)).toBe(410);
    await visitor.close();
    await expect(page.getByRole('button', { name: 'Revoke all links' })).toHaveCount(0);
  },
);

sharedTest(
  'an untitled recording has the same name on the page of links as on its own page',
  async ({ page, browserContext, server }) => {
    const id = await openRecording(page, { browserContext, server });
    await callAs(page, `PATCH /api/recordings/${id}`, { title: '' });
    await page.reload();
    await shareOnce(page);
    const name = (await page.getByRole('heading', { level: 1 }).textContent()) ?? '';
    expect(name).toMatch(/\d/);
    await page.goto('/shared');
    await expect(page.getByRole('heading', { level: 2, name, exact: true })).toBeVisible();
    await page.getByRole('listitem').getByRole('button', { name: 'Change' }).click();
    await expect(page.getByRole('dialog', { name: `Share “${name}”` })).toBeVisible();
  },
);

sharedTest(
  'Change in the message opens the link in the sheet, also while the sheet shows the list',
  async ({ page, browserContext, server }) => {
    await openRecording(page, { browserContext, server });
    await shareOnce(page);
    await shareButton(page).click();
    await expect(sheet(page).getByRole('list', { name: 'Links' })).toBeVisible();
    await page
      .getByRole('alertdialog', { name: /^Link copied\./ })
      .getByRole('button', { name: 'Change', exact: true })
      .click();
    await expect(sheet(page).getByRole('textbox', { name: 'Name of the link' })).toBeVisible();
  },
);

sharedTest('a new address replaces the old one', async ({ page, browserContext, server }) => {
  await openRecording(page, { browserContext, server });
  const url = await shareOnce(page);
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  await sheet(page).getByRole('button', { name: 'New address' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Replace' }).click();
  await expect(toast(page, 'The link has a new address')).toBeVisible();
  const [link] = await storedLinks(page);
  expect(link?.url).not.toBe(url);
  await expect(sheet(page).getByRole('textbox', { name: 'Link', exact: true })).toHaveValue(link?.url ?? '');
  const visitor = await openBrowser({ profile: '', baseURL: server.url });
  expect(await statusFor(visitor, url)).not.toBe(200);
  expect(await statusFor(visitor, link?.url ?? '')).toBe(200);
  await visitor.close();
});

sharedTest(
  'sharing works without a mouse, and the focus returns',
  async ({ page, browserContext, server }) => {
    await openRecording(page, { browserContext, server });
    await page.keyboard.press('Shift+S');
    await copyButton(page).focus();
    await page.keyboard.press('Enter');
    await expect(toast(page, /^Link copied\./)).toBeVisible();
    await shareButton(page).focus();
    await page.keyboard.press('Enter');
    await expect(sheet(page).getByRole('list', { name: 'Links' })).toBeVisible();
    expect(await storedLinks(page), 'a second press creates no second link').toHaveLength(1);
    await page.keyboard.press('Escape');
    await expect(sheet(page)).toHaveCount(0);
    await expect(shareButton(page)).toBeFocused();
  },
);

test('a link to a moment says that only its owner can open it, and offers to share from there on', async ({
  page,
  browserContext,
  server,
}) => {
  await openRecording(page, { browserContext, server });
  await page.getByRole('slider', { name: 'Position' }).first().press('ArrowRight');
  await page.getByRole('button', { name: 'Copy link to this moment' }).click();
  await expect(toast(page, /^Copied\. Only you can open it\./)).toBeVisible();
  await page.getByRole('button', { name: 'Share this moment' }).click();
  await expect(sheet(page).getByRole('textbox', { name: 'From' })).toHaveValue('0:05');
});

test('an administrator turns sharing off, and the links say why they don’t work', async ({
  page,
  browserContext,
  server,
}) => {
  await openRecording(page, { browserContext, server });
  const url = await shareOnce(page);
  await page.goto('/settings/sharing');
  await page
    .getByRole('combobox', { name: 'Links to recordings' })
    .selectOption({ label: 'No one can be given a link' });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(toast(page, 'Rules saved. Suspended links: 1')).toBeVisible();
  await expect(page.getByText('Links suspended by these rules: 1')).toBeVisible();
  await page.goto('/shared');
  await expect(page.getByRole('main').getByRole('listitem')).toContainText(
    'The link doesn’t work, because the rules of this server don’t allow it.',
  );
  const visitor = await openBrowser({ profile: '', baseURL: server.url });
  expect(await statusFor(visitor, url)).toBe(410);
  await page.goto('/settings/sharing');
  await page
    .getByRole('combobox', { name: 'Links to recordings' })
    .selectOption({ label: 'Anyone can be given a link' });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(toast(page, 'Rules saved. Suspended links: 0')).toBeVisible();
  expect(await statusFor(visitor, url)).toBe(200);
  await visitor.close();
});

sharedTest(
  'a running recording is shared live from its bar, with a delay',
  async ({ page, browserContext }) => {
    await browserContext.grantPermissions(['clipboard-read', 'clipboard-write']);
    await signUp(page);
    await startTake(page);
    await page.getByRole('link', { name: 'Library', exact: true }).first().click();
    const bar = page.getByRole('region', { name: 'Recording' });
    await expect(async () => {
      await bar.getByRole('button', { name: 'Share live' }).click();
      await expect(copyButton(page)).toBeVisible({ timeout: 2000 });
    }).toPass();
    await copyButton(page).click();
    await expect(toast(page, /^Link copied\./)).toBeVisible();
    expect(await storedLinks(page)).toMatchObject([{ live: { delayMs: 10_000, isHeldAfterStop: false } }]);
    await stopTake(page);
  },
);

sharedTest('signed out, the page of links offers to sign in', async ({ page }) => {
  await page.goto('/shared');
  await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('dialog').getByRole('textbox', { name: 'Email' })).toBeVisible();
});
