import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, test as base, expect, type BrowserContext, type Page } from '@playwright/test';
import { EarshotServer } from '#tests/support/earshot-server.ts';
import { findBrowser, findEngine } from '#tests/support/find-browser.ts';

/** Public domain: the 1961 inaugural address, eleven seconds; the fake microphone says it again and again. */
export const speechFile = join(import.meta.dirname, '..', 'fixtures', 'jfk-1961.wav');

export interface BrowserOptions {
  profile: string;
  /** Where relative addresses lead. */
  baseURL: string;
  /** `deny` refuses the microphone as a person would. */
  microphone?: 'speech' | 'deny';
  locale?: string;
  timeZone?: string;
  viewport?: { width: number; height: number };
  colorScheme?: 'light' | 'dark';
  /** A phone's screen, touched. */
  isPhone?: boolean;
  /** Blocked unless a test is about them: what a service worker answers, a test's own routes never see. */
  serviceWorkers?: 'allow' | 'block';
  /** The whole browser, with its window and every process of its own. */
  isWhole?: boolean;
  /** The key of a certificate that is trusted although nobody signed it, as `GateProxy` has it. */
  trustedKey?: string;
  /** The same page is the same picture, to the pixel. */
  isExact?: boolean;
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

/**
 * What was drawn before is not patched but drawn again, by one thread: a patched edge may differ by a shade.
 */
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
 * Opening a page ends when the app has taken the place of its picture, unless a test is about what comes
 * before and asks for the commit alone.
 */
function openToTheApp(page: Page): void {
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
  const appIsThere = async (options?: { waitUntil?: string }) => {
    if (options?.waitUntil !== 'commit') await page.locator('[data-stand-in]').waitFor({ state: 'detached' });
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

/** A real Chromium with a profile on disk, which outlives its process as a person's would. */
export async function openBrowser({
  profile,
  baseURL,
  microphone = 'speech',
  ...options
}: BrowserOptions): Promise<BrowserContext> {
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: options.isWhole ? findBrowser() : findEngine(),
    headless: true,
    baseURL,
    chromiumSandbox: process.getuid?.() !== 0,
    args: [
      ...quietArguments,
      ...microphoneArguments(microphone),
      ...(options.isExact ? exactArguments : []),
      ...trustArguments(options.trustedKey),
    ],
    locale: options.locale ?? 'en-GB',
    timezoneId: options.timeZone ?? 'Europe/Berlin',
    ...screenOf(options),
    colorScheme: options.colorScheme ?? 'light',
    serviceWorkers: options.serviceWorkers ?? 'block',
  });
  context.pages().forEach(openToTheApp);
  context.on('page', openToTheApp);
  return context;
}

interface ConsoleGuard {
  /** Lets through what this test provokes on purpose. */
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

/** Every test has its own server, data folder, browser and profile; an unexpected console error fails it. */
export const test = base.extend<Fixtures>({
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
    // A browser fetches the icon when it likes: also when a test has just cut the network.
    const allowed = [/Service Worker registration blocked by Playwright/, /icon from the Manifest/];
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
  // The server is named so that it outlives the browser: what a closing page still asks must find it.
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

export { expect };
