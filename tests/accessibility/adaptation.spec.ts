import type { Page } from '@playwright/test';
import { expect, test } from '#tests/e2e/earshot-test.ts';
import { startTake, stopTake, untilClock } from '#tests/e2e/steps.ts';
import { lowContrastText, overflowProblems, smallTargets } from './measure.ts';
import { visit, withRecording } from './scenes.ts';
import { switchLanguage, untilTransitionsEnd } from './views.ts';

const common = [
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
const guest = ['/sign-in', '/sign-up', '/reset-password?token=none'];

async function onEveryPage(
  page: Page,
  { paths, look }: { paths: readonly string[]; look: (path: string) => Promise<void> },
): Promise<void> {
  for (const path of paths) {
    await visit(page, path);
    await look(path);
  }
}

test.beforeEach(({ consoleGuard }) => {
  consoleGuard.allow(/400|401|404|422/);
});

const spacing =
  '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; } p { margin-block-end: 2em !important; }';

/** Adds a user style sheet to the page, as an extension would. */
async function wear(page: Page, css: string): Promise<void> {
  await page.evaluate((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    document.adoptedStyleSheets = text === '' ? [] : [sheet];
  }, css);
}

/** A marker on the waveform, which is also a row of the list of markers. */
const markerPoint = 'button[data-colour]';

test('nothing is cut off at 320 px, with WCAG 1.4.12 spacing or 200 % text, and touch targets are 44 px', async ({
  page,
  browserContext,
  server,
}) => {
  await page.setViewportSize({ width: 320, height: 640 });
  const found: string[] = [];
  const look = async (path: string) => {
    for (const [way, css, width] of [
      ['as it is', '', 320],
      ['200 % text', 'html { font-size: 200% !important; }', 640],
      ['text spacing', spacing, 320],
    ] as const) {
      await page.setViewportSize({ width, height: 640 });
      await wear(page, css);
      for (const language of ['en', 'de', 'ar']) {
        await switchLanguage(page, language);
        found.push(
          ...(await overflowProblems(page)).map((problem) => `${path}, ${way}, ${language}: ${problem}`),
        );
      }
      await switchLanguage(page, 'en');
      if (css === '')
        found.push(
          ...(await smallTargets(page, 44, markerPoint)).map((problem) => `${path}, touch: ${problem}`),
        );
    }
  };
  await onEveryPage(page, { paths: guest, look });
  const id = await withRecording(page, browserContext, server.url);
  await onEveryPage(page, { paths: [...common, `/recordings/${id}`], look });
  expect(found).toEqual([]);
});

test('every control is at least 24 px in size, and with more contrast all text reaches 7:1', async ({
  page,
  browserContext,
  server,
}) => {
  const found: string[] = [];
  const look = async (path: string) => {
    found.push(...(await smallTargets(page, 24)).map((problem) => `${path}: ${problem}`));
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ contrast: 'more', colorScheme, reducedMotion: 'reduce' });
      await untilTransitionsEnd(page);
      found.push(...(await lowContrastText(page)).map((problem) => `${path}, ${colorScheme}: ${problem}`));
    }
  };
  await onEveryPage(page, { paths: guest, look });
  const id = await withRecording(page, browserContext, server.url);
  await onEveryPage(page, { paths: [...common, `/recordings/${id}`], look });
  expect(found).toEqual([]);
});

const moving = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    document
      .getAnimations()
      .filter(
        (animation) =>
          animation.playState === 'running' && Number(animation.effect?.getComputedTiming().duration) > 1,
      )
      .map(
        (animation) =>
          `${animation instanceof CSSAnimation ? animation.animationName : animation.constructor.name}`,
      ),
  );

const drawn = (page: Page): Promise<string> =>
  page
    .locator('main canvas')
    .first()
    .evaluate((canvas) => (canvas instanceof HTMLCanvasElement ? canvas.toDataURL() : ''));

test('with reduced motion only the waveform moves, which still shows the captured audio', async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await visit(page, '/');
  expect(await moving(page), 'at rest').toEqual([]);
  await startTake(page);
  expect(await moving(page), 'during a take').toEqual([]);
  const before = await drawn(page);
  await untilClock(page, 1500);
  expect(await drawn(page), 'the waveform').not.toBe(before);
  await page.getByRole('link', { name: 'Library', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Library' })).toBeVisible();
  expect(await moving(page), 'the bar of the take').toEqual([]);
  await page.getByRole('link', { name: 'Back to recorder' }).click();
  await stopTake(page);
});

/** The opaque colours of more than 100 pixels of the waveform. */
const coloursOfWave = (page: Page): Promise<string[]> =>
  page
    .getByRole('slider', { name: 'Position' })
    .locator('canvas')
    .evaluate((canvas: HTMLCanvasElement) => {
      // Reads from a copy, because reading a canvas changes how the browser stores it.
      const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', {
        willReadFrequently: true,
      });
      copy?.drawImage(canvas, 0, 0);
      const pixels = copy?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
      const seen = new Map<string, number>();
      for (let at = 0; at < pixels.length; at += 4) {
        if (pixels[at + 3] !== 255) continue;
        const colour = Array.from(pixels.slice(at, at + 3)).join(' ');
        seen.set(colour, (seen.get(colour) ?? 0) + 1);
      }
      return [...seen]
        .filter(([, count]) => count > 100)
        .map(([colour]) => colour)
        .sort();
    });

test('the waveform has the same colours with and without reduced motion: audio, gaps and position differ', async ({
  page,
  browserContext,
  server,
}) => {
  const id = await withRecording(page, browserContext, server.url);
  const seen: string[][] = [];
  for (const reducedMotion of ['no-preference', 'reduce'] as const) {
    await page.emulateMedia({ reducedMotion });
    await visit(page, `/recordings/${id}`);
    await expect
      .poll(async () => (await coloursOfWave(page)).length, reducedMotion)
      .toBeGreaterThanOrEqual(3);
    seen.push(await coloursOfWave(page));
  }
  expect(seen[1]).toEqual(seen[0]);
});

// Switches, radio buttons and the volume slider have their own parts with borders in system colours; the browser
// draws checkboxes.
test('in forced colours every button and field has a border, outline or underline', async ({
  page,
  browserContext,
  server,
}) => {
  const id = await withRecording(page, browserContext, server.url);
  await page.emulateMedia({ forcedColors: 'active' });
  const found: string[] = [];
  for (const path of ['/', '/library', '/trash', '/settings/audio', `/recordings/${id}`]) {
    await visit(page, path);
    const edgeless = await page
      .locator(
        'button:visible, input:not([type=range], [role=switch], [type=radio], [type=checkbox]):visible, select:visible',
      )
      .evaluateAll((controls) =>
        controls
          .filter((control) => {
            const { borderTopStyle, borderTopWidth, outlineStyle, clipPath, textDecorationLine } =
              getComputedStyle(control);
            return (
              (borderTopStyle === 'none' || Number.parseFloat(borderTopWidth) < 1) &&
              outlineStyle === 'none' &&
              textDecorationLine === 'none' &&
              clipPath === 'none' &&
              control.querySelector('svg') === null &&
              control.getBoundingClientRect().width > 2
            );
          })
          .map((control) => control.outerHTML.slice(0, 140)),
      );
    found.push(...edgeless.map((html) => `${path}: ${html}`));
  }
  expect(found).toEqual([]);
});

/**
 * Whether an outline shows the page's focus: on the focused element, on a part of it, or on its parent or
 * siblings.
 */
const isFocusShown = (page: Page): Promise<{ isAnywhere: boolean; isShown: boolean; html: string }> =>
  page.evaluate(() => {
    const focused = document.activeElement;
    if (focused === null || focused === document.body) return { isAnywhere: false, isShown: true, html: '' };
    const isOutlined = (element: Element, part?: string): boolean => {
      const { outlineStyle, outlineWidth } = getComputedStyle(element, part);
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1;
    };
    const near = [
      focused,
      ...focused.querySelectorAll('*'),
      ...(focused.parentElement ? [focused.parentElement, ...focused.parentElement.children] : []),
    ];
    return {
      isAnywhere: true,
      isShown: near.some(
        (element) => isOutlined(element) || isOutlined(element, '::after') || isOutlined(element, '::before'),
      ),
      html: focused.outerHTML.slice(0, 140),
    };
  });

test('in forced colours an outline shows the focus at every Tab stop', async ({
  page,
  browserContext,
  server,
}) => {
  const id = await withRecording(page, browserContext, server.url);
  await page.emulateMedia({ forcedColors: 'active' });
  const unseen: string[] = [];
  for (const path of ['/', '/library', '/settings/audio', `/recordings/${id}`]) {
    await visit(page, path);
    let stops = 0;
    for (; stops < 80; stops += 1) {
      await page.keyboard.press('Tab');
      const { isAnywhere, isShown, html } = await isFocusShown(page);
      if (!isAnywhere) break;
      if (!isShown) unseen.push(`${path}: ${html}`);
    }
    expect(stops, path).toBeGreaterThan(5);
  }
  expect(unseen).toEqual([]);
});
