import type { Page } from '@playwright/test';
import { cookieHeader } from '#tests/support/cookie-header.ts';
import { uploadGappedRecording } from '#tests/support/gapped-recording.ts';
import { expect, test } from '#tests/e2e/earshot-test.ts';
import { onlyReadyRecording, signUp } from '#tests/e2e/steps.ts';
import { showLanguage } from './in-every-language.ts';

const titles = [
  'مقابلة (1961) مع أحمد',
  'ראיון [3] עם דנה',
  'Interview (1961), part 2',
  '12:30 – مقابلة',
  '(((deep]',
  'RTL (ערך) 7',
];
/** Bidirectional control characters that would reverse the text after them. No title may contain them. */
const turning = ['(\u202egpj.exe 7)', '\u2067]unpaired', '\u2066\u2066(((deep'];
const recording = { durationMs: 2000, segments: [{ startMs: 0, durationMs: 2000 }], gaps: [] };

async function rename(page: Page, id: string, title: string): Promise<void> {
  await page.evaluate(
    async ([recordingId, next]) => {
      const address = `/api/recordings/${recordingId}`;
      const headers = { 'content-type': 'application/json', 'x-requested-with': 'earshot' };
      const reply = await fetch(address, { method: 'PATCH', headers, body: JSON.stringify({ title: next }) });
      if (!reply.ok) throw new Error(await reply.text());
    },
    [id, title],
  );
}

/** The positions of the texts beside a user's title. */
async function placesAround(page: Page): Promise<{ row: number[]; heading: string }> {
  return page.evaluate(() => {
    const title = document.querySelector('main a bdi');
    const row = title?.closest('article, [role=listitem], li, div');
    const meta = [...(row?.querySelectorAll('span, time') ?? [])].filter(
      (element) =>
        !element.contains(title) && !title?.contains(element) && element.getBoundingClientRect().width > 1,
    );
    return {
      row: meta.map((element) => Math.round(element.getBoundingClientRect().left)),
      heading: document.querySelector('h1')?.textContent ?? '',
    };
  });
}

for (const language of ['en', 'ar']) {
  test(`a title in any script moves nothing around it, in ${language}`, async ({
    page,
    browserContext,
    server,
  }) => {
    await signUp(page);
    const id = await uploadGappedRecording(
      server.url,
      await cookieHeader(browserContext, server.url),
      recording,
    );
    await onlyReadyRecording(page);
    await rename(page, id, 'A');
    await page.goto(`/library?lang=${language}`);
    await expect(page.locator('main a bdi')).toHaveText('A');
    const plain = await placesAround(page);
    expect(plain.row.length).toBeGreaterThan(0);
    for (const title of titles) {
      await rename(page, id, title);
      await expect(page.locator('main a bdi')).toHaveText(title);
      expect(await placesAround(page), title).toEqual(plain);
      const { unicodeBidi, dir } = await page.locator('main a bdi').evaluate((element: HTMLElement) => ({
        unicodeBidi: getComputedStyle(element).unicodeBidi,
        dir: element.dir,
      }));
      expect([unicodeBidi, dir]).toEqual(['isolate', 'auto']);
    }
  });
}

test('a title in an announcement is isolated where its direction differs, and cannot break the isolation', async ({
  page,
  browserContext,
  server,
}) => {
  await signUp(page);
  const id = await uploadGappedRecording(
    server.url,
    await cookieHeader(browserContext, server.url),
    recording,
  );
  await onlyReadyRecording(page);
  for (const title of titles) {
    await rename(page, id, title);
    await page.goto(`/recordings/${id}`);
    await page.getByRole('button', { name: 'Move to trash', exact: true }).click();
    const said = page.getByText(/^Moved “/u).first();
    await expect(said).toBeVisible();
    const marks = (await said.innerText()).match(/[\u202a-\u202e\u2066-\u2069]/gu);
    expect(marks).toEqual(/[\u0590-\u08ff]/u.test(title) ? ['\u2068', '\u2069'] : null);
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect
      .poll(async () =>
        page.evaluate(async (address) => (await fetch(address)).status, `/api/recordings/${id}`),
      )
      .toBe(200);
    await showLanguage(page, 'en');
  }
});

test('removes from a title what would reverse the text after it', async ({
  page,
  browserContext,
  server,
}) => {
  await signUp(page);
  const id = await uploadGappedRecording(
    server.url,
    await cookieHeader(browserContext, server.url),
    recording,
  );
  await onlyReadyRecording(page);
  for (const title of turning) {
    await rename(page, id, title);
    await page.goto('/library');
    await expect(page.locator('main a bdi')).toHaveText(
      title.replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, ''),
    );
  }
});

test('a left-to-right list in a note stays within a right-to-left page', async ({
  page,
  browserContext,
  server,
}) => {
  await signUp(page);
  const id = await uploadGappedRecording(
    server.url,
    await cookieHeader(browserContext, server.url),
    recording,
  );
  await onlyReadyRecording(page);
  await page.evaluate(async (recordingId) => {
    const headers = {
      'content-type': 'application/json',
      'x-requested-with': 'earshot',
      'idempotency-key': crypto.randomUUID(),
    };
    const note = { id: '01890a5d-ac96-774b-bcce-b302099a8057', fromMs: 0, text: 'Said:\n- one\n- two' };
    const reply = await fetch(`/api/recordings/${recordingId}/notes`, {
      method: 'POST',
      headers,
      body: JSON.stringify(note),
    });
    if (!reply.ok) throw new Error(await reply.text());
  }, id);
  await page.setViewportSize({ width: 390, height: 780 });
  await page.goto(`/recordings/${id}?lang=ar`);
  await expect(page.getByText('two', { exact: true })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});
