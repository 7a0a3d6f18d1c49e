import { freePort } from '#scripts/free-port.ts';
import { second } from '#base/duration.ts';
import { openFirefox } from '#tests/faults/world/engines.ts';
import { until } from '#tests/faults/world/take.ts';
import { hasFfmpeg } from '#tests/support/sample-files.ts';
import { expect, test } from './earshot-test.ts';
import { asListener, playButton, shareLive, shareSpeech, untilPlayed } from './listening-steps.ts';
import { stopTake } from './steps.ts';

/** Makes a browser one that knows no Ogg, as Safari before 18.4 is. */
const withoutOgg = `
  const { canPlayType } = HTMLMediaElement.prototype;
  HTMLMediaElement.prototype.canPlayType = function (type) {
    return /ogg/.test(type) ? '' : canPlayType.call(this, type);
  };`;

test.beforeEach(() => {
  test.skip(!hasFfmpeg, 'ffmpeg is not installed');
});

test('a browser without Ogg plays the M4A of a link, from any moment and to its end', async ({
  page,
  server,
  consoleGuard,
}) => {
  const { url } = await shareSpeech(page);
  await asListener({ server, consoleGuard }, {}, async (listener) => {
    await listener.addInitScript(withoutOgg);
    await listener.goto(url);
    await playButton(listener).click();
    await untilPlayed(listener, 700);
    const audio = listener.locator('audio');
    const source = () => audio.evaluate(({ currentSrc }: HTMLAudioElement) => currentSrc);
    expect(await source()).toContain('format=m4a');
    await listener.getByRole('link', { name: /Your country/ }).click();
    await untilPlayed(listener, 6000);
    await expect(playButton(listener)).toBeVisible();
  });
});

test('Firefox without Ogg knows the whole length of the M4A, and plays its end first', async ({ page }) => {
  const { url } = await shareSpeech(page);
  const firefox = await openFirefox(await freePort());
  if (typeof firefox === 'string') {
    test.skip(true, firefox);
    return;
  }
  const audio = (expression: string) =>
    firefox.evaluate(`const audio = document.querySelector('audio'); return ${expression};`);
  try {
    await firefox.prepare?.(withoutOgg);
    await firefox.goTo(`${url}#t=9`);
    await firefox.press('Play recording');
    await until(async () => Number(await audio('audio.currentTime')) > 9.5 || null, 'playback', 60_000);
    expect(await audio('audio.currentSrc')).toContain('format=m4a');
    expect(Math.round(Number(await audio('audio.duration')))).toBe(11);
  } finally {
    await firefox.close();
  }
});

test('a link whose M4A takes long says so, and plays once it is there', async ({
  page,
  server,
  consoleGuard,
}) => {
  consoleGuard.allow(/Failed to load resource.*409/);
  const { url } = await shareSpeech(page);
  await asListener({ server, consoleGuard }, {}, async (listener) => {
    await listener.addInitScript(withoutOgg);
    let isMade = false;
    const problem = { code: 'share-not-started', title: 'Not yet', status: 409 };
    await listener.route('**/audio?format=m4a', (route) =>
      isMade
        ? route.continue()
        : route.fulfill({ status: 409, contentType: 'application/problem+json', json: problem }),
    );
    await listener.goto(url);
    await playButton(listener).click();
    await expect(listener.getByRole('status')).toHaveText('The audio is being prepared');
    isMade = true;
    await untilPlayed(listener, 700);
    await expect(listener.getByText('The audio is being prepared')).toHaveCount(0);
  });
});

test('a browser without Ogg says that a live link plays later, and plays it after Stop', async ({
  page,
  server,
  consoleGuard,
}) => {
  const { url } = await shareLive(page, 6 * second);
  await asListener({ server, consoleGuard }, {}, async (listener) => {
    await listener.addInitScript(withoutOgg);
    await listener.goto(url);
    await expect(listener.getByText('while it’s live')).toBeVisible();
    await expect(playButton(listener)).toBeDisabled();
    await expect(listener.getByRole('button', { name: 'Jump to live' })).toBeHidden();
    await stopTake(page);
    await expect(playButton(listener)).toBeEnabled();
    await playButton(listener).click();
    await untilPlayed(listener, 700);
  });
});
