import type { Page } from '@playwright/test';
import { expect, test } from '#tests/e2e/earshot-test.ts';
import { clockMs, signUp, startTake, stopTake, untilClock } from '#tests/e2e/steps.ts';
import { visit, withRecording } from './scenes.ts';

const paths = [
  '/',
  '/library',
  '/shared',
  '/trash',
  '/settings/profile',
  '/settings/security',
  '/settings/devices',
  '/settings/status',
  '/settings/transcripts',
  '/settings/people',
  '/settings/providers',
  '/settings/sharing',
  '/settings/language',
  '/settings/audio',
  '/settings/storage',
  '/settings/data',
  '/nowhere',
];

async function expectStructure(page: Page, path: string): Promise<void> {
  await visit(page, path);
  for (const landmark of ['banner', 'main'] as const)
    await expect(page.getByRole(landmark), `${landmark} of ${path}`).toHaveCount(1);
  await expect(page.getByRole('navigation', { name: 'Main' })).toHaveCount(1);
  await expect(page.getByRole('heading', { level: 1 }), `the one first-level heading of ${path}`).toHaveCount(
    1,
  );
  const levels = await page
    .getByRole('main')
    .getByRole('heading')
    .evaluateAll((headings) =>
      headings.map((heading) => Number(heading.getAttribute('aria-level') ?? heading.tagName.slice(1))),
    );
  const skips = levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1);
  expect(skips, `headings of ${path}: ${levels.join(' ')}`).toEqual([]);
}

test('every page has its landmarks, one first-level heading, and skips no heading level', async ({
  page,
  browserContext,
  server,
  consoleGuard,
}) => {
  consoleGuard.allow(/401|404/);
  for (const path of ['/sign-in', '/sign-up', '/library']) await expectStructure(page, path);
  const id = await withRecording(page, browserContext, server.url);
  for (const path of [...paths, `/recordings/${id}`]) await expectStructure(page, path);
});

test('the waveform is a slider that reports its position as text in the page’s language', async ({
  page,
  browserContext,
  server,
}) => {
  const id = await withRecording(page, browserContext, server.url);
  await visit(page, `/recordings/${id}`);
  const slider = page.getByRole('slider', { name: 'Position' });
  await expect(slider).toHaveAttribute('aria-valuetext', /^0 seconds of 22 seconds$/);
  await expect(slider).toHaveAttribute('aria-valuemin', '0');
  await expect(slider).toHaveAttribute('aria-valuemax', '22000');
  await page.getByRole('region', { name: 'Gaps' }).getByRole('link').first().click();
  await expect(slider).toHaveAttribute(
    'aria-valuetext',
    /3 seconds of 22 seconds, no audio here: Microphone disconnected/,
  );
});

/** Records the text of every change in a live region from now on. */
async function listenToRegions(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const said: string[] = [];
    Object.assign(globalThis, { said });
    const live = '[aria-live=polite], [aria-live=assertive], [role=alert], [role=status], output, [role=log]';
    new MutationObserver((changes) => {
      for (const { target } of changes) {
        const element = target instanceof Element ? target : target.parentElement;
        const region = element?.closest(live);
        const text = region?.textContent.trim();
        if (region && text && !element?.closest('[aria-live=off], [role=timer]')) said.push(text);
      }
    }).observe(document.documentElement, { subtree: true, childList: true, characterData: true });
  });
  return () => page.evaluate(() => (globalThis as unknown as { said: string[] }).said);
}

test('one polite and one assertive region exist from the start, and a running clock is never announced', async ({
  page,
}) => {
  await signUp(page);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Record', exact: true })).toBeVisible();
  for (const urgency of ['polite', 'assertive'])
    await expect(page.locator(`body [aria-live=${urgency}][aria-atomic]`), urgency).toHaveCount(1);
  const heard = await listenToRegions(page);
  await startTake(page);
  await expect(page.getByRole('timer').first()).toHaveAttribute('aria-live', 'off');
  await untilClock(page, 1500);
  const atStart = await heard();
  const seenMs = await clockMs(page);
  await untilClock(page, seenMs + 3000);
  expect(await heard(), 'a running clock announces nothing').toEqual(atStart);
  await stopTake(page);
  await expect.poll(async () => (await heard()).length).toBeGreaterThan(atStart.length);
  expect(
    atStart.filter((text) => /\d/.test(text)),
    'no time is announced',
  ).toEqual([]);
});

test('text conveys the storage state, the current page, gaps and the state of a take, not colour alone', async ({
  page,
  browserContext,
  server,
}) => {
  const id = await withRecording(page, browserContext, server.url);
  await visit(page, '/library');
  await expect(page.getByRole('main').getByText('On server', { exact: true })).toBeVisible();
  await expect(
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Library' }),
  ).toHaveAttribute('aria-current', 'page');
  await visit(page, `/recordings/${id}`);
  await expect(page.getByRole('region', { name: 'Gaps' }).getByRole('listitem')).toHaveText([
    /Microphone disconnected/,
    /Page closed/,
  ]);
  await visit(page, '/');
  await startTake(page);
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Resume', exact: true })).toBeVisible();
  await stopTake(page);
});
