import type { Page } from '@playwright/test';
import { expect, test } from '#tests/e2e/earshot-test.ts';
import { asListener, callAs, playButton, shareSpeech, untilPlayed } from '#tests/e2e/listening-steps.ts';
import { createAccount } from '#tests/e2e/steps.ts';
import { expectAccessible, look } from './axe.ts';
import { type Scene, visit } from './scenes.ts';

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const appearances = [
  { colorScheme: 'light', forcedColors: 'none' },
  { colorScheme: 'dark', forcedColors: 'none' },
  { colorScheme: 'light', forcedColors: 'active' },
] as const;

const wideElements = (page: Page): Promise<string> =>
  page.evaluate(() =>
    [...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > 320)
      .map(({ tagName, className }) => `${tagName} ${String(className)}`)
      .join(', '),
  );

async function violationsOf(page: Page): Promise<string[]> {
  const { violations, incomplete } = await look(page, rules);
  return [...violations, ...incomplete].flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`),
  );
}

/** Runs every rule on an address in some languages and every appearance, and reports what overflows at 320 px. */
async function problemsOf(page: Page, url: string): Promise<string[]> {
  const found: string[] = [];
  for (const language of ['en', 'de', 'ar', 'ja'])
    for (const appearance of appearances) {
      await page.emulateMedia({ ...appearance, reducedMotion: 'reduce' });
      await page.goto(`${url}?lang=${language}`);
      found.push(
        ...(await violationsOf(page)).map((text) => `${language} ${JSON.stringify(appearance)} ${text}`),
      );
      await page.setViewportSize({ width: 320, height: 640 });
      const isNarrow = await page
        .waitForFunction(() => document.documentElement.scrollWidth <= 320, null, { timeout: 3000 })
        .catch(() => null);
      if (isNarrow === null) found.push(`${language}: ${await wideElements(page)} wider than 320 px`);
      await page.setViewportSize({ width: 1280, height: 900 });
    }
  return found;
}

test('the pages of links have no violation in any appearance, and fit into 320 px', async ({
  page,
  server,
  consoleGuard,
}) => {
  consoleGuard.allow(/Failed to load resource.*4\d\d/);
  const open = await shareSpeech(page, {
    title: 'Ask not what your country can do for you',
    message: 'Tell me what you think of it.',
    download: 'formats',
    embed: 'any',
  });
  const [, token] = open.url.split('/s/');
  const again = (settings: object) =>
    callAs(page, `PATCH /api/shares/${open.id}`, settings) as Promise<{ revision: number }>;
  await asListener({ server, consoleGuard }, {}, async (listener) => {
    expect.soft(await problemsOf(listener, open.url), 'listening page').toEqual([]);
    expect.soft(await problemsOf(listener, `/embed/${token}`), 'embedded player').toEqual([]);
    await again({ revision: open.revision, password: 'ferry lantern oats' });
    expect.soft(await problemsOf(listener, open.url), 'password').toEqual([]);
    await callAs(page, `DELETE /api/shares/${open.id}`);
    expect.soft(await problemsOf(listener, open.url), 'ended').toEqual([]);
  });
});

const requestAndDays: Scene = {
  name: 'a request for access, and the days of a link',
  open: async (page) => {
    await visit(page, '/shared');
    await page.getByRole('main').getByText('By day').press('Enter');
    await expect(page.getByRole('table')).toBeVisible();
    await expect(page.getByRole('list', { name: 'Requests for access' })).toBeVisible();
  },
};

test('asking for access is accessible in every appearance, to the user who asks and to the owner', async ({
  page,
  server,
  consoleGuard,
}) => {
  consoleGuard.allow(/Failed to load resource.*4\d\d/);
  const { id, url, revision } = await shareSpeech(page);
  await asListener({ server, consoleGuard }, {}, async (listener) => {
    await listener.goto(url);
    await playButton(listener).click();
    await untilPlayed(listener, 300);
    await callAs(page, `PATCH /api/shares/${id}`, {
      revision,
      audience: 'named',
      people: ['ana@example.org'],
    });
    await createAccount(listener.context());
    expect.soft(await problemsOf(listener, url), 'a link for others').toEqual([]);
    await listener.goto(url);
    await listener.getByRole('button', { name: 'Ask for access' }).click();
    await expect(listener.getByRole('heading', { name: 'You asked for access' })).toBeVisible();
    expect.soft(await problemsOf(listener, url), 'after the request').toEqual([]);
  });
  await requestAndDays.open(page);
  await expectAccessible(page, requestAndDays);
});

test('the listening page is used with the keyboard alone', async ({ page, server, consoleGuard }) => {
  const { url } = await shareSpeech(page);
  await asListener({ server, consoleGuard }, {}, async (listener) => {
    await listener.goto(url);
    const names: string[] = [];
    for (let count = 0; count < 9; count += 1) {
      await listener.keyboard.press('Tab');
      names.push(
        await listener.evaluate(
          () =>
            document.activeElement?.getAttribute('aria-label') ??
            document.activeElement?.textContent?.trim() ??
            '',
        ),
      );
    }
    expect(names.slice(0, 2)).toEqual(['Earshot', expect.stringContaining('Language of this page')]);
    expect(names.slice(2, 7)).toEqual([
      'Playback position',
      'Back 15 seconds',
      'Play recording',
      'Forward 15 seconds',
      'Playback speed',
    ]);
    expect(names[7]).toContain('Fellow Americans');
  });
});
