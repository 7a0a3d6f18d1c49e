import type AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import axe from 'axe-core';
import { expect } from '#tests/e2e/earshot-test.ts';
import { answered } from './answered.ts';
import type { Scene } from './scenes.ts';
import { inEveryView } from './views.ts';

const { source } = axe;

const everyRule = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** The rules whose result depends on the appearance, which changes styles but not the page's tree. */
const rulesOfLooks = ['color-contrast', 'link-in-text-block', 'target-size'];

type AxeResults = Awaited<ReturnType<AxeBuilder['analyze']>>;
interface RunOptions {
  runOnly: string[] | { type: 'rule'; values: string[] };
  resultTypes: string[];
  iframes: boolean;
}

/** Runs the rules on the current page. Injects axe once per page, not at every run as its own builder does. */
export async function look(page: Page, runOnly: RunOptions['runOnly']): Promise<AxeResults> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source);
  const options: RunOptions = { runOnly, resultTypes: ['violations', 'incomplete'], iframes: false };
  return page.evaluate(
    (run) =>
      (globalThis as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } }).axe.run(run),
    options,
  );
}

/** What axe cannot decide automatically, and why it is right. */
const decided: readonly { rule: string; when: RegExp; reason: string }[] = [
  {
    rule: 'color-contrast',
    when: /Element has no value/,
    reason:
      'an empty field has no text; filled, it has the colour of every other field, and its hint that of secondary text',
  },
  {
    rule: 'color-contrast',
    when: /partially obscured by another element/,
    reason:
      'scrolled half under the edge of a list or a sticky element; the same text is measured where it is fully visible',
  },
  {
    rule: 'color-contrast',
    when: /due to a pseudo element/,
    reason:
      'the transparent pseudo-element of a row’s link covers the whole row; the text below it has the colours of the page',
  },
  {
    rule: 'color-contrast',
    when: /_(timecode|state)_[^]*overlapped by another element/,
    reason:
      'the focused row’s buttons cover its length and its state; the same text is measured in every other row',
  },
  {
    rule: 'color-contrast',
    when: /_description_[^]*partially overlaps other elements[^]*the playback options/,
    reason:
      'the popover’s background hides the waveform below it; the same description in the same colours is measured in the recorder’s settings',
  },
  {
    rule: 'color-contrast',
    when: /overlapped by another element[^]*changed settings of a link/,
    reason:
      'the row that stays at the end of the sheet covers what scrolls below it; the other fields have the same colours',
  },
  {
    rule: 'color-contrast',
    when: /only non-text characters|too short to determine/,
    reason: 'a single character on a key, in the same colour as the text on all keys',
  },
  {
    rule: 'label-content-name-mismatch',
    when: /Unable to determine/,
    reason: 'a button that shows one character is named by it and its action',
  },
];

/**
 * Runs every rule on a scene in every language and appearance, and reports all violations and undecided results.
 */
export async function expectAccessible(page: Page, scene: Scene): Promise<void> {
  const found: string[] = [];
  await inEveryView(page, async (view) => {
    const rules = view.appearance === 'light' ? everyRule : { type: 'rule' as const, values: rulesOfLooks };
    const { violations, incomplete } = await answered(
      page,
      `${scene.name}, ${view.language}, ${view.appearance}`,
      () => look(page, rules),
    );
    const say = (kind: string, results: AxeResults['violations']) =>
      results.flatMap((result) =>
        result.nodes.map((node) => ({
          rule: result.id,
          text: `${kind} ${result.id} at ${node.target.join(' ')} | ${node.html.slice(0, 160)} | ${node.failureSummary ?? ''} | ${scene.name}, ${view.language}, ${view.appearance}`,
        })),
      );
    const open = say('open', incomplete).filter(
      ({ rule, text }) => !decided.some((known) => known.rule === rule && known.when.test(text)),
    );
    found.push(...[...say('VIOLATION', violations), ...open].map(({ text }) => text));
  });
  expect.soft(found, scene.name).toEqual([]);
}
