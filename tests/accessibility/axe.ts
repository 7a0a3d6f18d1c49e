import type AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import axe from 'axe-core';
import { expect } from '#tests/e2e/earshot-test.ts';
import { answered } from './answered.ts';
import type { Scene } from './scenes.ts';
import { inEveryView } from './views.ts';

const { source } = axe;

const everyRule = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** What an appearance can change: it is style alone, the tree of the page stays as it is. */
const rulesOfLooks = ['color-contrast', 'link-in-text-block', 'target-size'];

type AxeResults = Awaited<ReturnType<AxeBuilder['analyze']>>;
interface RunOptions {
  runOnly: string[] | { type: 'rule'; values: string[] };
  resultTypes: string[];
  iframes: boolean;
}

/**
 * Runs the rules on the page as it stands; axe is put into a page once, not at every look as its own builder
 * does.
 */
export async function look(page: Page, runOnly: RunOptions['runOnly']): Promise<AxeResults> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source);
  const options: RunOptions = { runOnly, resultTypes: ['violations', 'incomplete'], iframes: false };
  return page.evaluate(
    (run) =>
      (globalThis as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } }).axe.run(run),
    options,
  );
}

/** What axe cannot decide by itself, and why it is right all the same. */
const decided: readonly { rule: string; when: RegExp; reason: string }[] = [
  {
    rule: 'color-contrast',
    when: /Element has no value/,
    reason:
      'an empty field has no text of its own; with text it has the colour of every other field, and its hint that of secondary text',
  },
  {
    rule: 'color-contrast',
    when: /partially obscured by another element/,
    reason:
      'scrolled half under the edge of a list or beneath a part that sticks; the same words are measured where they are whole',
  },
  {
    rule: 'color-contrast',
    when: /due to a pseudo element/,
    reason:
      'the whole row is the target of its link, whose transparent pseudo element lies over it; the words beneath have the colours of the page',
  },
  {
    rule: 'color-contrast',
    when: /_(timecode|state)_[^]*overlapped by another element/,
    reason:
      'the buttons of the row that has the focus stand over its length and its state; the same words are measured in every other row',
  },
  {
    rule: 'color-contrast',
    when: /_description_[^]*partially overlaps other elements[^]*the playback options/,
    reason:
      'the popover lies over the waveform, whose parts its own background hides; the same description in the same colours is measured in the settings of the recorder',
  },
  {
    rule: 'color-contrast',
    when: /only non-text characters|too short to determine/,
    reason: 'one sign on a key, in the colour of the words on all keys',
  },
  {
    rule: 'label-content-name-mismatch',
    when: /Unable to determine/,
    reason: 'a button that shows one sign names the sign and what it does',
  },
];

/**
 * Looks at a scene in every language and appearance with every rule, and names all that is wrong or left
 * open.
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
