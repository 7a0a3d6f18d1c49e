import type { Page } from '@playwright/test';
import { second } from '#base/duration.ts';
import { newId } from '#tests/support/api-client.ts';
import { expect, sharedTest, test } from './earshot-test.ts';
import {
  asListener,
  callAs,
  pauseButton,
  placeSlider,
  playButton,
  playedMs,
  shareLive,
  shareSpeech,
  untilPlayed,
} from './listening-steps.ts';
import { changeDatabase, createAccount, stopTake, submitAccount } from './steps.ts';

const drawnPixels = (page: Page): Promise<number> =>
  page.locator('canvas').evaluate((canvas: HTMLCanvasElement) => {
    const pixels = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
    return pixels.filter((value, index) => index % 4 === 3 && value > 0).length;
  });

sharedTest(
  'a link opens in another browser without an account, and plays',
  { tag: '@core' },
  async ({ page, server, consoleGuard }) => {
    const { url } = await shareSpeech(page, {
      title: 'Vows',
      message: 'Listen to the end.',
      download: 'audio',
    });
    await asListener({ server, consoleGuard }, {}, async (listener) => {
      await listener.goto(url);
      await expect(listener.getByRole('heading', { level: 1 })).toHaveText('Vows');
      await expect(listener.getByText('Listen to the end.')).toBeVisible();
      await expect.poll(() => drawnPixels(listener), { message: 'the waveform' }).toBeGreaterThan(500);
      await playButton(listener).click();
      await untilPlayed(listener, 700);
      await pauseButton(listener).click();

      await listener.getByRole('link', { name: /Your country/ }).click();
      await untilPlayed(listener, 6000);
      await listener.getByRole('combobox', { name: 'Playback speed' }).selectOption('1.5');
      expect(await listener.locator('audio').evaluate((audio: HTMLAudioElement) => audio.playbackRate)).toBe(
        1.5,
      );
      await listener.getByRole('button', { name: 'Back 15 seconds' }).click();
      expect(await playedMs(listener)).toBeLessThan(3000);
      await placeSlider(listener).focus();
      await listener.keyboard.press('End');
      await expect(playButton(listener)).toBeVisible();
      await listener.keyboard.press('Home');
      expect(await playedMs(listener)).toBe(0);
      await expect(listener.getByRole('link', { name: 'Ogg Opus' })).toHaveAttribute('href', /format=ogg/);
      expect(await listener.context().cookies()).toEqual([]);

      // Without scripts, a marker opens the audio as a document at its moment.
      await listener.goto(`${url}/audio#t=6`);
      const atSecond = () =>
        listener.locator('video').evaluate((video: HTMLVideoElement) => video.currentTime);
      await expect.poll(atSecond).toBeGreaterThanOrEqual(6);
    });
    await expect
      .poll(async () => {
        const { items } = (await callAs(page, 'GET /api/shares')) as {
          items: { openCount: number; listenCount: number }[];
        };
        return items.map(({ openCount, listenCount }) => [openCount, listenCount]);
      })
      .toEqual([[1, 1]]);
  },
);

test('on a slow line a press before the audio has loaded plays its first seconds, then all of it', async ({
  page,
  server,
  consoleGuard,
}) => {
  const { url } = await shareSpeech(page);
  await asListener({ server, consoleGuard }, {}, async (listener) => {
    const requested: string[] = [];
    listener.on('request', (request) => requested.push(request.url().replace(url, '')));
    const network = await listener.context().newCDPSession(listener);
    await network.send('Network.enable');
    await network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 400,
      downloadThroughput: 50_000,
      uploadThroughput: 50_000,
    });
    await listener.goto(url, { waitUntil: 'commit' });
    await playButton(listener).click();
    await untilPlayed(listener, 6000);
    const audio = requested.filter((path) => path.startsWith('/audio'));
    expect(audio[0]).toBe('/audio');
    expect(new Set(audio)).toEqual(new Set(['/audio', '/audio?until=3250']));
    await placeSlider(listener).focus();
    await listener.keyboard.press('End');
    await expect(playButton(listener)).toBeVisible();
  });
});

test('the language of the page changes at the same moment of the recording', async ({
  page,
  server,
  consoleGuard,
}) => {
  const { url } = await shareSpeech(page);
  await asListener({ server, consoleGuard }, {}, async (listener) => {
    await listener.goto(url);
    await placeSlider(listener).press('ArrowRight');
    await listener.locator('summary').click();
    await listener.getByRole('link', { name: 'Deutsch' }).click();
    await expect(listener.locator('html')).toHaveAttribute('lang', 'de');
    await expect(listener.getByRole('slider')).toHaveAttribute('aria-valuenow', '5000');
  });
});

/** The colour of the waveform at a place of its width, from 0 to 1. */
const waveColour = (page: Page, place: number): Promise<string> =>
  page.locator('canvas').evaluate((canvas: HTMLCanvasElement, at) => {
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', {
      willReadFrequently: true,
    });
    copy?.drawImage(canvas, 0, 0);
    const { width, height } = canvas;
    const pixels = copy?.getImageData(Math.floor(width * at), 0, 8, height).data ?? [];
    const opaqueAt = pixels.findIndex((value, index) => index % 4 === 3 && value === 255);
    return opaqueAt === -1 ? 'none' : pixels.slice(opaqueAt - 3, opaqueAt).join(' ');
  }, place);

test('the waveform shows how much was played, also with reduced motion', async ({
  page,
  server,
  consoleGuard,
}) => {
  const { url } = await shareSpeech(page);
  await asListener({ server, consoleGuard }, {}, async (listener) => {
    await listener.emulateMedia({ reducedMotion: 'reduce' });
    await listener.goto(url);
    await expect.poll(() => drawnPixels(listener), { message: 'the waveform' }).toBeGreaterThan(500);
    await placeSlider(listener).press('ArrowRight');
    await expect(listener.getByRole('slider')).toHaveAttribute('aria-valuenow', '5000');
    await expect
      .poll(async () => {
        const [played, rest] = [await waveColour(listener, 0.2), await waveColour(listener, 0.8)];
        return played !== 'none' && rest !== 'none' && played !== rest;
      })
      .toBe(true);
  });
});

test('revoking a link ends it while it plays', async ({ page, server, consoleGuard }) => {
  consoleGuard.allow(/Failed to load resource.*410|net::ERR/);
  const { id, url } = await shareSpeech(page);
  await asListener({ server, consoleGuard }, {}, async (listener) => {
    await listener.goto(url);
    await playButton(listener).click();
    await untilPlayed(listener, 500);
    await callAs(page, `DELETE /api/shares/${id}`);
    await expect(listener.getByRole('heading', { name: 'This link has ended' })).toBeVisible();
    await expect(listener.locator('audio')).toHaveCount(0);
  });
});

const password = 'ferry lantern oats';

test('a password opens the link, is asked for again in place, and the audio is requested once more', async ({
  page,
  server,
  consoleGuard,
}) => {
  consoleGuard.allow(/Failed to load resource.*401/);
  const { url } = await shareSpeech(page, { password });
  await asListener({ server, consoleGuard }, {}, async (listener) => {
    await listener.goto(url);
    const field = listener.getByRole('textbox', { name: 'Password of this link' });
    await field.fill('a wrong one');
    await listener.getByRole('button', { name: 'Open recording' }).click();
    await expect(listener.getByText('Wrong password.')).toBeVisible();
    await field.fill(password);
    await listener.getByRole('button', { name: 'Open recording' }).click();
    await expect(playButton(listener)).toBeVisible();

    const statuses: number[] = [];
    listener.on('response', (response) => {
      const isStart = response.request().headers()['range'] === 'bytes=0-';
      if (response.url().endsWith('/audio') && isStart) statuses.push(response.status());
    });
    // Twelve hours are over when the page asks for the audio.
    await listener.route(
      '**/audio',
      (route) => {
        changeDatabase(server.dataDir, 'delete from share_visits');
        statuses.length = 0;
        return route.continue();
      },
      { times: 1 },
    );
    await listener.reload({ waitUntil: 'commit' });
    await expect(listener.getByRole('heading', { name: 'Enter the password again' })).toBeVisible();
    expect(statuses).toEqual([401]);
    await field.fill(password);
    await listener.getByRole('button', { name: 'Open recording' }).click();
    await expect(field).toBeHidden();
    await playButton(listener).click();
    await untilPlayed(listener, 1000);
    expect(statuses).toEqual([401, 206]);
  });
});

test('works without scripts: native player, times, languages and password', async ({
  page,
  server,
  consoleGuard,
}) => {
  const { url } = await shareSpeech(page, { title: 'Vows', password, download: 'audio' });
  await asListener({ server, consoleGuard }, { hasScripts: false }, async (listener) => {
    await listener.goto(url);
    await listener.getByLabel('Password of this link').fill(password);
    await listener.getByRole('button', { name: 'Open recording' }).click();
    await expect(listener.getByRole('heading', { level: 1 })).toHaveText('Vows');
    await expect(listener.locator('audio')).toBeVisible();
    await expect(playButton(listener)).toBeHidden();
    await expect(listener.getByRole('link', { name: 'Ogg Opus' })).toBeVisible();
    await listener.locator('summary').click();
    await listener.getByRole('link', { name: 'العربية' }).click();
    await expect(listener.locator('html')).toHaveAttribute('dir', 'rtl');
    await listener.goto(url);
    await listener.getByRole('link', { name: /Your country/ }).click();
    await expect(listener).toHaveURL(/\/audio#t=6$/);
  });
});

test('a limited link plays once, and uses nothing up before the press', async ({
  page,
  server,
  consoleGuard,
}) => {
  const { url } = await shareSpeech(page);
  changeDatabase(server.dataDir, 'update shares set max_listens = 1');
  const requested: string[] = [];
  await asListener({ server, consoleGuard }, {}, async (listener) => {
    listener.on('request', (request) => requested.push(request.url()));
    await listener.goto(url);
    await expect(playButton(listener)).toBeVisible();
    expect(requested.filter((address) => address.includes('/audio'))).toEqual([]);
    await playButton(listener).click();
    await untilPlayed(listener, 500);
  });
  consoleGuard.allow(/Failed to load resource.*410/);
  await asListener({ server, consoleGuard }, {}, async (listener) => {
    await listener.goto(url);
    await expect(listener.getByText('as often as this link allowed')).toBeVisible();
  });
});

test('a limited link that is used up before the press shows its end, and one whose password is due asks for it', async ({
  page,
  server,
  consoleGuard,
}) => {
  consoleGuard.allow(/Failed to load resource.*(401|410)/);
  const { id, url, revision } = await shareSpeech(page, { password });
  changeDatabase(server.dataDir, 'update shares set max_listens = 1');
  await asListener({ server, consoleGuard }, {}, async (listener) => {
    await listener.goto(url);
    const field = listener.getByRole('textbox', { name: 'Password of this link' });
    await field.fill(password);
    await listener.getByRole('button', { name: 'Open recording' }).click();
    await expect(playButton(listener)).toBeVisible();
    changeDatabase(server.dataDir, 'delete from share_visits');
    await playButton(listener).click();
    await expect(listener.getByRole('heading', { name: 'Enter the password again' })).toBeVisible();
    await field.fill(password);
    await listener.getByRole('button', { name: 'Open recording' }).click();
    await untilPlayed(listener, 500);
  });
  await callAs(page, `PATCH /api/shares/${id}`, { revision, maxListens: 2 });
  await asListener({ server, consoleGuard }, {}, async (listener) => {
    await listener.goto(url);
    await listener.getByRole('textbox', { name: 'Password of this link' }).fill(password);
    await listener.getByRole('button', { name: 'Open recording' }).click();
    await expect(playButton(listener)).toBeVisible();
    changeDatabase(server.dataDir, 'update shares set listen_count = 2');
    await playButton(listener).click();
    await expect(listener.getByText('as often as this link allowed')).toBeVisible();
  });
});

test('a live recording is played while it is made, and after Stop at the same address', async ({
  page,
  server,
  consoleGuard,
}) => {
  const { url } = await shareLive(page, 12 * second);
  await asListener({ server, consoleGuard }, {}, async (listener) => {
    await listener.goto(url);
    await expect(listener.getByText('Live now')).toBeVisible();
    const lengthMs = async () => Number(await placeSlider(listener).getAttribute('aria-valuemax'));
    await listener.getByRole('button', { name: 'Jump to live' }).click();
    await expect(pauseButton(listener)).toBeVisible();
    const joinedAtMs = await playedMs(listener);
    await untilPlayed(listener, joinedAtMs + 9 * second);
    expect((await lengthMs()) - (await playedMs(listener))).toBeLessThan(12 * second);
    await stopTake(page);
    await expect(listener.getByText('The live recording has ended.')).toBeVisible();
    await expect(listener.getByText('Live now')).toHaveCount(0);
    // It plays to the end, and then the page is that of a finished recording.
    await expect(playButton(listener)).toBeVisible({ timeout: 30_000 });
    await expect.poll(async () => (await lengthMs()) - (await playedMs(listener))).toBeLessThan(500);
  });
});

test('a live link that is held after Stop says so, and plays at the same address once it is released', async ({
  page,
  server,
  consoleGuard,
}) => {
  const { id, url, revision } = await shareLive(page, 6 * second, { isHeldAfterStop: true });
  await asListener({ server, consoleGuard }, {}, async (listener) => {
    await listener.goto(url);
    await expect(listener.getByText('Live now')).toBeVisible();
    await stopTake(page);
    await expect(listener.getByRole('heading', { name: 'The live recording has ended' })).toBeVisible();
    await expect(listener.getByText('Live now')).toHaveCount(0);
    await callAs(page, `PATCH /api/shares/${id}`, { revision, isReleased: true });
    await expect(playButton(listener)).toBeVisible();
  });
});

test('a link for users leads to the sign-in and back', async ({ page, server, consoleGuard }) => {
  consoleGuard.allow(/Failed to load resource.*401/);
  const { url } = await shareSpeech(page, { audience: 'installation', title: 'Vows' });
  await asListener({ server, consoleGuard }, {}, async (listener) => {
    const user = await createAccount(listener.context());
    await listener.context().clearCookies();
    await listener.goto(url);
    await listener.getByRole('link', { name: 'Go to sign-in' }).click();
    await submitAccount(listener, user, 'Sign in');
    await expect(listener.getByRole('heading', { level: 1 })).toHaveText('Vows');
    await expect(listener).toHaveURL(url);
  });
});

test('another user asks for access, and listens once the owner allows it', async ({
  page,
  server,
  consoleGuard,
}) => {
  consoleGuard.allow(/Failed to load resource.*(401|403)/);
  const { url } = await shareSpeech(page, { audience: 'named', people: ['ana@example.org'], title: 'Vows' });
  await page.goto('/library');
  await expect(page.getByRole('main').getByRole('link', { name: 'Shared', exact: true })).toBeVisible();
  await asListener({ server, consoleGuard }, { hasScripts: false }, async (listener) => {
    const user = await createAccount(listener.context());
    await listener.goto(url);
    await listener.getByRole('button', { name: 'Ask for access' }).click();
    await expect(listener.getByRole('heading', { name: 'You asked for access' })).toBeVisible();

    const waiting = page.getByRole('main').getByRole('link', { name: 'Shared. Requests for access: 1' });
    await waiting.click();
    const requests = page.getByRole('list', { name: 'Requests for access' });
    await expect(requests.getByRole('listitem')).toContainText(user.email);
    await requests.getByRole('button', { name: 'Allow' }).click();
    await expect(requests).toHaveCount(0);

    await listener.getByRole('link', { name: 'Check again' }).click();
    await expect(listener.getByRole('heading', { level: 1 })).toHaveText('Vows');
  });
});

test('the owner sees on which days a link was used', async ({ page, server, consoleGuard }) => {
  const { url } = await shareSpeech(page);
  await asListener({ server, consoleGuard }, {}, async (listener) => {
    await listener.goto(url);
    await playButton(listener).click();
    await untilPlayed(listener, 300);
  });
  await page.goto('/shared');
  await page.getByRole('main').getByText('By day').press('Enter');
  const rows = page.getByRole('table').getByRole('row');
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(1).getByRole('cell')).toHaveText(['1', '1', '0']);
});

test('S19: the service worker of the app leaves links alone', async ({ page, server, consoleGuard }) => {
  const { id, url } = await shareSpeech(page);
  consoleGuard.allow(/Failed to load resource.*410/);
  await asListener({ server, consoleGuard }, { serviceWorkers: 'allow' }, async (listener) => {
    await listener.goto('/');
    await listener.waitForFunction(() => navigator.serviceWorker.controller !== null);
    const response = await listener.goto(url);
    expect(response?.fromServiceWorker()).toBe(false);
    await callAs(page, `DELETE /api/shares/${id}`);
    await listener.goto('/library');
    const ended = await listener.goto(url);
    expect([ended?.status(), ended?.fromServiceWorker()]).toEqual([410, false]);
  });
});

test('a link with more notes than one page shows loads the rest at its end, and links to it without scripts', async ({
  page,
  server,
  consoleGuard,
}) => {
  const { url, recordingId } = await shareSpeech(page);
  const words = 'word '.repeat(3000);
  for (let first = 1; first <= 40; first += 10)
    await callAs(page, `POST /api/recordings/${recordingId}/labels`, {
      notes: Array.from({ length: 10 }, (_, index) => ({
        id: newId(),
        fromMs: (first + index) * 100,
        text: `Note ${first + index}: ${words}`,
      })),
    });
  const noteOf = (listener: Page, index: number) => listener.getByText(new RegExp(`^Note ${index}: word`));
  await asListener({ server, consoleGuard }, {}, async (listener) => {
    await listener.goto(url);
    await expect(noteOf(listener, 1)).toBeVisible();
    await expect(noteOf(listener, 40)).toHaveCount(0);
    await expect
      .poll(async () => {
        await listener.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
        return noteOf(listener, 40).count();
      })
      .toBe(1);
    await expect(listener.getByRole('link', { name: 'Show more' })).toHaveCount(0);
    await expect(listener.getByText(/^Note \d+: word/)).toHaveCount(40);
    await listener
      .getByRole('link', { name: /Note 30:|00:03/ })
      .first()
      .click();
    await untilPlayed(listener, 3000);
  });
  await asListener({ server, consoleGuard }, { hasScripts: false }, async (listener) => {
    await listener.goto(url);
    for (let pages = 0; (await noteOf(listener, 40).count()) === 0 && pages < 10; pages += 1)
      await listener.getByRole('link', { name: 'Show more' }).click();
    await expect(noteOf(listener, 40)).toBeVisible();
    await expect(noteOf(listener, 1)).toHaveCount(0);
  });
});
