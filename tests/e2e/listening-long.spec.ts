import type { Page } from '@playwright/test';
import { freePort } from '#scripts/free-port.ts';
import { hour, second } from '#base/duration.ts';
import { openFirefox } from '#tests/faults/world/engines.ts';
import { until } from '#tests/faults/world/take.ts';
import { cookieHeader } from '#tests/support/cookie-header.ts';
import { uploadLongRecording } from '#tests/support/long-recording.ts';
import { expect, test, type Fixtures } from './earshot-test.ts';
import { asListener, playButton, playedMs, shareRecording, untilPlayed } from './listening-steps.ts';
import { signUp } from './steps.ts';

const lengthMs = 13 * hour;
/** The last moment that Firefox can count in one Ogg stream. */
const countedMs = 12 * hour + 25 * 60 * second + 39 * second;
const boundaryMs = 12 * hour;

/** Shares a recording of thirteen hours. Returns the address of the link. */
async function shareLong(page: Page, { server }: Pick<Fixtures, 'server'>): Promise<string> {
  await signUp(page);
  const cookie = await cookieHeader(page.context(), server.url);
  const id = await uploadLongRecording(server.url, cookie, { minutes: lengthMs / 60_000, isThin: true });
  return (await shareRecording(page, id)).url;
}

/** The moments at which playback starts, and how far it must get. Both sides of a section's end, and the very end. */
const starts = [
  { fromMs: boundaryMs - 3 * second, toMs: boundaryMs + 2 * second },
  { fromMs: 5 * hour, toMs: 5 * hour + second },
  { fromMs: countedMs + hour / 4, toMs: countedMs + hour / 4 + second },
];

test('a link to thirteen hours plays anywhere and to its end', async ({ page, server, consoleGuard }) => {
  test.setTimeout(180_000);
  const url = await shareLong(page, { server });
  await asListener({ server, consoleGuard }, {}, async (listener) => {
    for (const { fromMs, toMs } of starts) {
      await listener.goto('about:blank');
      await listener.goto(`${url}#t=${fromMs / 1000}`);
      await playButton(listener).click();
      await untilPlayed(listener, toMs);
      expect(await playedMs(listener)).toBeLessThan(toMs + 20 * second);
    }
    await listener.goto('about:blank');
    await listener.goto(`${url}#t=${lengthMs / 1000 - 3}`);
    await playButton(listener).click();
    await expect(playButton(listener)).toBeVisible();
    expect(Math.abs((await playedMs(listener)) - lengthMs)).toBeLessThan(500);
  });
  await asListener({ server, consoleGuard }, { hasScripts: false }, async (listener) => {
    await listener.goto(url);
    const players = listener.locator('audio');
    await expect(players).toHaveCount(2);
    await expect(listener.getByText(/^12:00:00–/)).toBeVisible();
  });
});

test('Firefox plays a link to thirteen hours beyond the samples that it can count, and to its end', async ({
  page,
  server,
}) => {
  test.setTimeout(240_000);
  const url = await shareLong(page, { server });
  const firefox = await openFirefox(await freePort());
  if (typeof firefox === 'string') {
    test.skip(true, firefox);
    return;
  }
  const positionMs = async () =>
    Number(
      await firefox.evaluate("return document.querySelector('[role=slider]').getAttribute('aria-valuenow');"),
    );
  const hasButton = async (name: string) =>
    (await firefox.evaluate(`return document.querySelector('[aria-label="${name}"]') !== null;`)) || null;
  const playFrom = async (fromMs: number) => {
    await firefox.goTo('about:blank');
    await firefox.goTo(`${url}#t=${fromMs / 1000}`);
    await until(() => hasButton('Play recording'), 'the player', 30_000);
    await firefox.press('Play recording');
  };
  try {
    for (const { fromMs, toMs } of starts) {
      await playFrom(fromMs);
      await until(async () => (await positionMs()) > toMs || null, `playback at ${toMs} ms`, 60_000);
    }
    await playFrom(lengthMs - 3 * second);
    await until(async () => (await positionMs()) > lengthMs - 2 * second || null, 'playback', 60_000);
    await until(() => hasButton('Play recording'), 'the end', 30_000);
    expect(Math.abs((await positionMs()) - lengthMs)).toBeLessThan(500);
  } finally {
    await firefox.close();
  }
});
