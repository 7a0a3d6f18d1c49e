import type { Page } from '@playwright/test';
import { paths } from '#web/app/paths.ts';
import { cookieHeader } from '#tests/support/cookie-header.ts';
import type { EarshotServer } from '#tests/support/earshot-server.ts';
import { storeSpeech } from '#tests/support/stored-speech.ts';
import { expect, test } from './earshot-test.ts';
import { signUp, untilSaved } from './steps.ts';

/**
 * What each screen of the route table shows when the server doesn't respond. `names` matches the notice about the
 * missing data; null for a screen that needs nothing from the server. A new route without an entry does not
 * compile.
 */
const screens: Record<keyof typeof paths, { names: RegExp } | null> = {
  record: { names: /Showing what’s on this device/ },
  library: { names: /Showing what’s on this device/ },
  recordings: null,
  recording: { names: /Couldn’t open the recording/ },
  shared: { names: /Links/ },
  trash: { names: /Showing what’s on this device/ },
  settings: null,
  profile: null,
  security: { names: /Passkeys, Sign-in providers, Linked accounts and History|Passkeys/ },
  devices: { names: /Where you’re signed in/ },
  status: { names: /Server status/ },
  people: { names: /People/ },
  providers: { names: /Sign-in providers/ },
  sharing: { names: /Sharing/ },
  transcripts: { names: /Transcripts/ },
  language: null,
  audio: null,
  storage: { names: /On the server/ },
  data: { names: /Export all my data/ },
  signIn: { names: /Sign-in providers/ },
  signUp: { names: /Sign-in providers/ },
  resetPassword: { names: /The rest appears when the server responds/ },
  undoEmailChange: null,
};

type Screen = keyof typeof paths;
/** A link from an e-mail. The app asks the server about every token of this shape. */
const addressesOf = { ...paths, resetPassword: `${paths.resetPassword}#${'a'.repeat(43)}` };

const isScreen = (name: string): name is Screen => name in paths;
const all = Object.keys(paths).filter(isScreen);

const away = (page: Page) =>
  page
    .getByRole('status')
    .filter({ hasText: /Can’t reach the server|The server isn’t responding|Couldn’t open the recording/ })
    .filter({ has: page.getByRole('button', { name: 'Try again' }) });
const waits = (page: Page) =>
  page.locator('main [class*="_spinner_"]:not(button *), main [class*="_skeleton_"]');

/** Opens a screen as a link of the app does. */
const follow = (page: Page, path: string) =>
  page.evaluate((address) => {
    history.pushState(null, '', address);
  }, path);

const ways: Record<
  string,
  {
    cut: (world: { page: Page; server: EarshotServer }) => Promise<unknown>;
    repair: (world: { page: Page; server: EarshotServer }) => Promise<unknown>;
  }
> = {
  'accepts connections and never answers': {
    cut: async ({ server }) => {
      process.kill(server.pid ?? 0, 'SIGSTOP');
    },
    repair: async ({ server }) => {
      process.kill(server.pid ?? 0, 'SIGCONT');
    },
  },
  'refuses connections': {
    cut: ({ server }) => server.end('SIGKILL'),
    repair: ({ server }) => server.start(),
  },
  'can’t be reached, because the device is offline': {
    cut: ({ page }) => page.context().setOffline(true),
    repair: ({ page }) => page.context().setOffline(false),
  },
};

async function expectSaid(page: Page, screen: Screen): Promise<void> {
  const wanted = screens[screen];
  await expect.soft(waits(page), `${screen}: no endless spinner or skeleton`).toHaveCount(0);
  if (wanted === null) return expect.soft(away(page), `${screen}: reports nothing as missing`).toHaveCount(0);
  await expect.soft(away(page), `${screen}: reports what it can’t show`).toHaveCount(1);
  await expect.soft(away(page), `${screen}: names the missing data`).toContainText(wanted.names);
}

test.describe('a server that', () => {
  test.beforeEach(({ consoleGuard }) => {
    consoleGuard.allow(/net::ERR_|404|410|422/);
  });

  let onceOver: () => Promise<unknown> = async () => undefined;
  test.afterEach(() => onceOver());

  for (const [name, { cut, repair }] of Object.entries(ways)) {
    test(`${name}: every screen reports what it can’t show, and fills in automatically when the server is back`, async ({
      page,
      server,
    }) => {
      await signUp(page);
      const id = await storeSpeech(server.url, await cookieHeader(page.context(), server.url));
      const addressOf = (screen: Screen): string => addressesOf[screen].replace(':recordingId', id);
      // Loads each page's code into the browser's cache, but not the server's responses.
      for (const screen of all) {
        await follow(page, addressOf(screen));
        await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible();
      }
      await page.goto(paths.language);
      await expect(page.getByRole('link', { name: 'Devices' })).toBeVisible();

      await cut({ page, server });
      onceOver = () => repair({ page, server }).catch(() => undefined);
      for (const screen of all) {
        await follow(page, addressOf(screen));
        await expectSaid(page, screen);
      }
      await follow(page, paths.devices);
      await expect(away(page)).toBeVisible();
      await away(page).getByRole('button', { name: 'Try again' }).click();
      await repair({ page, server });
      await expect(page.getByText('This device')).toBeVisible({ timeout: 60_000 });
      await expect(away(page)).toHaveCount(0);
    });
  }
});

test.describe('opened while the server is silent', () => {
  test.use({ browserOptions: { serviceWorkers: 'allow' } });

  test('every screen soon reports that it shows only local data, and no spinner is endless', async ({
    page,
    server,
    consoleGuard,
  }) => {
    consoleGuard.allow(/net::ERR_/);
    await signUp(page);
    const id = await storeSpeech(server.url, await cookieHeader(page.context(), server.url));
    await untilSaved(page);
    process.kill(server.pid ?? 0, 'SIGSTOP');
    try {
      for (const screen of all) {
        await page.goto(addressesOf[screen].replace(':recordingId', id));
        // The session is unknown, so the settings list fewer sections and say so.
        const isSaid = screen === 'settings' || screen === 'profile' || screens[screen] !== null;
        await expect.soft(away(page), `${screen}: reports what it can’t show`).toHaveCount(isSaid ? 1 : 0);
        await expect.soft(waits(page), `${screen}: no endless spinner or skeleton`).toHaveCount(0);
      }
    } finally {
      process.kill(server.pid ?? 0, 'SIGCONT');
    }
  });
});
