import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import type { BrowserContext, Page } from '@playwright/test';
import { makeWav } from '#tests/support/made-wav.ts';
import { callAs } from './listening-steps.ts';
import { expect, test } from './earshot-test.ts';
import { clockMs, listed, onServerSentence, signUp, startTake, stopTake, untilClock } from './steps.ts';

/**
 * Changes the page as Chrome's translator does: replaces every text node that contains letters, now and when one
 * is added later, by its translation in two `font` elements. Here the translation equals the text. `isCareless`
 * also replaces digits and texts marked as not to be translated.
 */
function translate(isCareless: boolean): void {
  const isOwn = (text: Node): boolean =>
    text.parentElement?.closest('font, script, style, textarea, noscript, title, template') === null;
  const isWanted = (text: Node): boolean =>
    isOwn(text) &&
    (isCareless ? /[\p{L}\p{N}]/u : /\p{L}/u).test(text.nodeValue ?? '') &&
    (isCareless || text.parentElement?.closest('[translate=no]') === null);
  const put = (text: Node): void => {
    if (!isWanted(text)) return;
    const [outer, inner] = [document.createElement('font'), document.createElement('font')];
    inner.append(text.nodeValue ?? '');
    outer.append(inner);
    text.parentNode?.replaceChild(outer, text);
  };
  const translateWithin = (root: Node): void => {
    const texts: Node[] = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    if (root.nodeType === Node.TEXT_NODE) texts.push(root);
    while (walker.nextNode()) texts.push(walker.currentNode);
    texts.forEach(put);
  };
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes)
      [target.nodeType === Node.TEXT_NODE ? target : null, ...addedNodes].forEach((node) => {
        if (node?.isConnected) translateWithin(node);
      });
  }).observe(document, { childList: true, characterData: true, subtree: true });
}

async function openTranslated(
  page: Page,
  browserContext: BrowserContext,
  isCareless: boolean,
): Promise<void> {
  await signUp(page);
  await browserContext.addInitScript(translate, isCareless);
  await page.reload();
  await expect.poll(() => page.locator('font font').count()).toBeGreaterThan(5);
}

const goTo = (page: Page, name: string): Promise<void> =>
  page.getByRole('link', { name, exact: true }).first().click();

async function chooseLanguage(page: Page, autonym: string): Promise<void> {
  await page
    .locator('button:has(svg)')
    .filter({ hasText: /English|Deutsch/ })
    .first()
    .click();
  await page
    .getByRole('option', { name: autonym })
    .or(page.getByRole('menuitemradio', { name: autonym }))
    .or(page.getByRole('radio', { name: autonym }))
    .first()
    .click();
}

/** The number of seconds that the status pill shows as saved on this device. */
async function retainedS(page: Page): Promise<number> {
  const words = await page
    .getByText(/saved only on this device/)
    .first()
    .innerText();
  return Number(/([\d.]+)/.exec(words)?.[1] ?? 0);
}

for (const isCareless of [false, true]) {
  test(`a page translated by the browser${isCareless ? ', with its digits,' : ''} keeps every text up to date`, async ({
    page,
    browserContext,
    consoleGuard,
  }) => {
    consoleGuard.allow(/ERR_INTERNET_DISCONNECTED/);
    await openTranslated(page, browserContext, isCareless);

    await startTake(page);
    await untilClock(page, 2000);
    await browserContext.setOffline(true);
    await expect(page.getByText('Waiting for a connection', { exact: true })).toBeVisible();
    await untilClock(page, (await clockMs(page)) + 3000);
    await expect.poll(() => retainedS(page)).toBeGreaterThanOrEqual(2);
    const before = await retainedS(page);
    await expect.poll(() => retainedS(page)).toBeGreaterThan(before);
    await browserContext.setOffline(false);
    await expect(page.getByText('Saved on the server').first()).toBeVisible();
    await expect(page.getByText(/saved only on this device/)).toHaveCount(0);
    await stopTake(page);
    await expect(page.getByText(onServerSentence)).toBeVisible();

    await goTo(page, 'Library');
    const count = page
      .getByRole('main')
      .getByRole('status')
      .filter({ hasText: /recording/ });
    await expect(count).toHaveText('1 recording');
    await page.locator('input[data-import=files]').setInputFiles({
      name: 'Harbour.wav',
      mimeType: 'audio/wav',
      buffer: makeWav({ seconds: 2, seed: 11 }),
    });
    await expect(count).toHaveText('2 recordings', { timeout: 60_000 });

    await page
      .getByRole('link', { name: /Harbour/ })
      .first()
      .click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Harbour');
    await page.getByRole('button', { name: 'Rename' }).first().click();
    await page.getByRole('textbox', { name: 'Title' }).fill('Quay');
    await page.getByRole('textbox', { name: 'Title' }).press('Enter');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Quay');
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await expect(page.getByRole('region', { name: 'Player' })).toContainText(/00:0[1-9]/);

    await chooseLanguage(page, 'Deutsch');
    await expect(page.getByRole('link', { name: 'Bibliothek' }).first()).toBeVisible();
    await expect(page.getByText('Markierungen').first()).toBeVisible();
    await expect(page.getByText('Auf dem Server gespeichert').first()).toBeVisible();
    await expect(page.locator('body')).not.toContainText(/Skip to|Markers|Download|Saved on the server/);
    await chooseLanguage(page, 'English');
    await expect(page.getByText('Saved on the server').first()).toBeVisible();

    await goTo(page, 'Library');
    for (const { id } of await listed(page)) await callAs(page, `DELETE /api/recordings/${id}`);
    await expect(count).toHaveCount(0);
    await expect(page.getByRole('main').getByRole('link', { name: /Quay/ })).toHaveCount(0);
    await expect
      .poll(() => page.locator('font font').count(), { message: 'the page is still translated' })
      .toBeGreaterThan(5);
  });
}

const source = stripTypeScriptTypes(
  readFileSync(
    join(import.meta.dirname, '..', '..', 'src', 'web', 'ui', 'dom', 'translated-text.ts'),
    'utf8',
  ),
);

/** The ways in which a translator may replace a text node by its element. */
for (const way of ['in one step', 'element first', 'text first', 'text moved into the element'] as const) {
  test(`changes that React makes to a replaced text node (${way}) are made to its translation`, async ({
    page,
  }) => {
    await page.goto('about:blank', { waitUntil: 'commit' });
    await page.addScriptTag({
      type: 'module',
      content: `${source}\nprotectTranslatedText();\nglobalThis.isFollowing = true;`,
    });
    await expect.poll(() => page.evaluate(() => 'isFollowing' in globalThis)).toBe(true);
    const shown = await page.evaluate(async (manner) => {
      const parent = document.createElement('p');
      const [changed, removed, before, moved, retained] = [
        'changed',
        'removed',
        'before',
        'moved',
        'kept',
      ].map((word) => new Text(`${word} `)) as [Text, Text, Text, Text, Text];
      parent.append(changed, removed, before, moved, retained);
      document.body.replaceChildren(parent);
      for (const text of [changed, removed, before, moved, retained]) {
        const font = document.createElement('font');
        const words = `<${text.data}>`;
        const next = text.nextSibling;
        if (manner === 'in one step') text.replaceWith(font);
        else if (manner === 'element first') {
          text.before(font);
          text.remove();
        } else if (manner === 'text first') {
          text.remove();
          parent.insertBefore(font, next);
        } else {
          text.before(font);
          font.append(text);
        }
        if (manner !== 'text moved into the element') font.textContent = words;
      }
      const observed = () =>
        new Promise<void>((resolve) => {
          queueMicrotask(resolve);
        });
      await observed();
      changed.nodeValue = 'new ';
      parent.removeChild(removed);
      parent.insertBefore(document.createElement('b'), before);
      parent.appendChild(moved);
      await observed();
      // A second change, as to a text that was never replaced.
      changed.nodeValue = 'newer ';
      await observed();
      return parent.innerHTML
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll(/<\/?font>|<(\w+) >/g, '$1 ')
        .replaceAll(/ +/g, ' ')
        .trim();
    }, way);
    expect(shown).toBe('newer <b></b> before kept moved');
  });
}
