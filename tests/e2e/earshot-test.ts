import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, test as base, expect, type BrowserContext, type Page } from '@playwright/test';
import { EarshotServer } from '../support/earshot-server.ts';
import { findBrowser } from '../support/find-browser.ts';

/** Public domain: the 1961 inaugural address, eleven seconds; the fake microphone says it again and again. */
export const speechFile = join(import.meta.dirname, '..', 'fixtures', 'jfk-1961.wav');

export interface BrowserOptions {
  profile: string;
  /** Where relative addresses lead. */
  baseURL: string;
  /** `deny` refuses the microphone as a person would. */
  microphone?: 'speech' | 'deny';
  locale?: string;
  viewport?: { width: number; height: number };
  colorScheme?: 'light' | 'dark';
}

const quietArguments = ['--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-quic', '--disable-gpu', '--autoplay-policy=no-user-gesture-required'];

function microphoneArguments(microphone: BrowserOptions['microphone']): string[] {
  if (microphone === 'deny') return ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream=deny'];
  return ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream', `--use-file-for-fake-audio-capture=${speechFile}`];
}

/** A real Chromium with a profile on disk, which outlives its process as a person's would. */
export async function openBrowser({ profile, baseURL, microphone = 'speech', ...options }: BrowserOptions): Promise<BrowserContext> {
  return chromium.launchPersistentContext(profile, {
    executablePath: findBrowser(),
    headless: true,
    baseURL,
    chromiumSandbox: process.getuid?.() !== 0,
    args: [...quietArguments, ...microphoneArguments(microphone)],
    locale: options.locale ?? 'en-GB',
    timezoneId: 'Europe/Berlin',
    viewport: options.viewport ?? { width: 1280, height: 900 },
    colorScheme: options.colorScheme ?? 'light',
  });
}

interface ConsoleGuard {
  /** Lets through what this test provokes on purpose. */
  allow(pattern: RegExp): void;
  watch(context: BrowserContext): void;
}

interface Fixtures {
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
    const allowed: RegExp[] = [];
    const seen: string[] = [];
    await use({
      allow: (pattern) => { allowed.push(pattern); },
      watch(context) {
        context.on('console', (message) => {
          if (message.type() === 'error' || message.type() === 'warning') seen.push(`${message.text()} (${message.location().url})`);
        });
        context.on('weberror', (error) => { seen.push(String(error.error().stack)); });
      },
    });
    expect(seen.filter((text) => !allowed.some((pattern) => pattern.test(text))), 'unexpected console messages').toEqual([]);
  },
  // The server is named so that it outlives the browser: what a closing page still asks must find it.
  browserContext: async ({ profile, browserOptions, consoleGuard, server }, use) => {
    const context = await openBrowser({ profile, baseURL: server.url, ...browserOptions });
    consoleGuard.watch(context);
    await use(context);
    await context.close().catch(() => undefined);
  },
  page: async ({ browserContext, server }, use) => {
    const page = browserContext.pages()[0] ?? await browserContext.newPage();
    await page.goto(server.url);
    await use(page);
  },
});

export { expect };
