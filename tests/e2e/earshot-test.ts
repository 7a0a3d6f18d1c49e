import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  chromium,
  test as base,
  expect,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type LaunchOptions,
  type Page,
} from '@playwright/test';
import { ApiClient } from '#tests/support/api-client.ts';
import { EarshotServer } from '#tests/support/earshot-server.ts';
import { findBrowser, findEngine } from '#tests/support/find-browser.ts';

/** The 1961 inaugural address (public domain), eleven seconds. The fake microphone plays it in a loop. */
export const speechFile = join(import.meta.dirname, '..', 'fixtures', 'jfk-1961.wav');

export interface BrowserOptions {
  profile: string;
  /** The base of relative URLs. */
  baseURL: string;
  /** `deny` rejects the microphone permission, as a user would. */
  microphone?: 'speech' | 'deny';
  locale?: string;
  timeZone?: string;
  viewport?: { width: number; height: number };
  colorScheme?: 'light' | 'dark';
  /** A phone-sized touch screen. */
  isPhone?: boolean;
  /** Blocked by default, because requests that a service worker answers bypass a test's own routes. */
  serviceWorkers?: 'allow' | 'block';
  /** Runs the full browser, with its window and separate processes. */
  isWhole?: boolean;
  /** The SPKI hash of a self-signed certificate to trust, such as `GateProxy`'s. */
  trustedKey?: string;
  /** Renders the same page identically, to the pixel. */
  isExact?: boolean;
  userAgent?: string;
  /** False turns scripts off, as a user can. */
  hasScripts?: boolean;
}

const quietArguments = [
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--disable-gpu',
  '--autoplay-policy=no-user-gesture-required',
];

/** Redraws in full and in one thread, because a partially redrawn edge may differ by a shade. */
const exactArguments = ['--disable-partial-raster', '--num-raster-threads=1', '--force-color-profile=srgb'];

function microphoneArguments(microphone: BrowserOptions['microphone']): string[] {
  if (microphone === 'deny')
    return ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream=deny'];
  return [
    '--use-fake-device-for-media-stream',
    '--use-fake-ui-for-media-stream',
    `--use-file-for-fake-audio-capture=${speechFile}`,
  ];
}

const trustArguments = (key: string | undefined): string[] =>
  key === undefined ? [] : [`--ignore-certificate-errors-spki-list=${key}`];

/**
 * Makes `goto` and `reload` wait until the app has replaced the prerendered page. A test of the time before that
 * passes `waitUntil: 'commit'`.
 */
function openToTheApp(page: Page): void {
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
  const appIsThere = async (options?: { waitUntil?: string }) => {
    if (options?.waitUntil !== 'commit')
      await page.locator('[data-prerendered]').waitFor({ state: 'detached' });
  };
  page.goto = async (url, options) => {
    const response = await goto(url, options);
    await appIsThere(options);
    return response;
  };
  page.reload = async (options) => {
    const response = await reload(options);
    await appIsThere(options);
    return response;
  };
}

const screenOf = ({
  isPhone,
  viewport = { width: 1280, height: 900 },
}: Pick<BrowserOptions, 'isPhone' | 'viewport'>) =>
  isPhone ? { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true } : { viewport };

/** What applies to a whole browser process. */
const processOptions = ['microphone', 'isWhole', 'trustedKey', 'isExact'] as const;
type ProcessOptions = Pick<BrowserOptions, (typeof processOptions)[number]>;

const launchOptionsOf = (options: ProcessOptions): LaunchOptions => ({
  executablePath: options.isWhole ? findBrowser() : findEngine(),
  headless: true,
  chromiumSandbox: process.getuid?.() !== 0,
  args: [
    ...quietArguments,
    ...microphoneArguments(options.microphone),
    ...(options.isExact ? exactArguments : []),
    ...trustArguments(options.trustedKey),
  ],
});

const contextOptionsOf = (options: Omit<BrowserOptions, 'profile'>): BrowserContextOptions => ({
  baseURL: options.baseURL,
  locale: options.locale ?? 'en-GB',
  timezoneId: options.timeZone ?? 'Europe/Berlin',
  ...screenOf(options),
  colorScheme: options.colorScheme ?? 'light',
  serviceWorkers: options.serviceWorkers ?? 'block',
  javaScriptEnabled: options.hasScripts ?? true,
  ...(options.userAgent === undefined ? {} : { userAgent: options.userAgent }),
});

function openPagesToTheApp(context: BrowserContext): void {
  context.pages().forEach(openToTheApp);
  context.on('page', openToTheApp);
}

/** Opens a real Chromium with a profile on disk, which survives the browser process as a user's does. */
export async function openBrowser({ profile, ...options }: BrowserOptions): Promise<BrowserContext> {
  const context = await chromium.launchPersistentContext(profile, {
    ...launchOptionsOf(options),
    ...contextOptionsOf(options),
  });
  openPagesToTheApp(context);
  return context;
}

interface ConsoleGuard {
  /** Ignores console messages that this test provokes on purpose. */
  allow(pattern: RegExp): void;
  watch(context: BrowserContext): void;
}

export interface Fixtures {
  server: EarshotServer;
  profile: string;
  consoleGuard: ConsoleGuard;
  browserOptions: Partial<BrowserOptions>;
  browserContext: BrowserContext;
  page: Page;
}

export interface WorkerFixtures {
  sharedServer: EarshotServer;
  sharedBrowser: Browser;
}

/**
 * Gives every test its own server, data folder, browser and profile, and fails it on an unexpected console error.
 */
export const test = base.extend<Fixtures, WorkerFixtures>({
  sharedServer: [
    async ({}, use) => {
      const server = await EarshotServer.launch({ TRUSTED_PROXY_HOPS: '1', DRAIN_MS: '0' });
      // The first account administers the server, and would differ from those of later tests.
      const administrator = new ApiClient(server.url);
      await administrator.signUp();
      administrator.close();
      await use(server);
      await server.dispose();
    },
    { scope: 'worker' },
  ],
  sharedBrowser: [
    async ({}, use) => {
      const browser = await chromium.launch(launchOptionsOf({}));
      await use(browser);
      await browser.close();
    },
    { scope: 'worker' },
  ],
  browserOptions: [{}, { option: true }],
  server: async ({}, use) => {
    const server = await EarshotServer.launch();
    await use(server);
    await server.dispose();
  },
  profile: async ({}, use) => {
    const profile = mkdtempSync(join(tmpdir(), 'earshot-profile-'));
    await use(profile);
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  },
  consoleGuard: async ({}, use) => {
    const allowed = [
      /Service Worker registration blocked by Playwright/,
      // The browser fetches the icon at any time, also just after a test has cut the network.
      /icon from the Manifest/,
      // A device with a copy asks whether the recording still exists.
      /status of 410 .*\/api\/recordings\/[^/]+\)$/,
    ];
    const seen: string[] = [];
    await use({
      allow: (pattern) => {
        allowed.push(pattern);
      },
      watch(context) {
        context.on('console', (message) => {
          if (message.type() === 'error' || message.type() === 'warning')
            seen.push(`${message.text()} (${message.location().url})`);
        });
        context.on('weberror', (event) => {
          // A DOMException has an empty stack.
          const { stack = '', name, message } = event.error();
          seen.push(stack === '' ? `${name}: ${message}` : stack);
        });
      },
    });
    expect(
      seen.filter((text) => !allowed.some((pattern) => pattern.test(text))),
      'unexpected console messages',
    ).toEqual([]);
  },
  // Depends on `server` so that the server outlives the browser and answers the closing page's requests.
  browserContext: async ({ profile, browserOptions, consoleGuard, server }, use) => {
    const context = await openBrowser({ profile, baseURL: server.url, ...browserOptions });
    consoleGuard.watch(context);
    await use(context);
    await context.close().catch(() => undefined);
  },
  page: async ({ browserContext, server }, use) => {
    const page = browserContext.pages()[0] ?? (await browserContext.newPage());
    await page.goto(server.url);
    await use(page);
  },
});

let clients = 0;
/** An address for tests (RFC 2544), another for each test: the server limits sign-ups by address. */
function nextClientAddress(): string {
  clients += 1;
  return `198.18.${clients >> 8}.${clients & 255}`;
}

/**
 * Gives every test a new context in the browser of its worker, on the server of its worker, as a client of its own
 * behind a proxy. For tests that neither end the server, nor read or change what it stores for all users, nor need
 * a profile on disk: a server and a browser of their own cost 1.5 s of processor time.
 */
export const sharedTest = test.extend({
  server: async ({ sharedServer }, use) => use(sharedServer),
  browserContext: async ({ sharedBrowser, browserOptions, consoleGuard, server }, use) => {
    const unmet = processOptions.filter((name) => browserOptions[name] !== undefined);
    if (unmet.length > 0) throw new Error(`${unmet.join(', ')}: use test, which has a browser of its own`);
    const context = await sharedBrowser.newContext({
      ...contextOptionsOf({ baseURL: server.url, ...browserOptions }),
      extraHTTPHeaders: { 'x-forwarded-for': nextClientAddress() },
    });
    openPagesToTheApp(context);
    consoleGuard.watch(context);
    await use(context);
    await context.close();
  },
});

export { expect };
