import { execFileSync } from 'node:child_process';
import { chromium, type BrowserContext, type Page } from '@playwright/test';
import { findEngine } from '#tests/support/find-browser.ts';

export interface Screen {
  width: number;
  height: number;
}

/** Converts the demo's speech to the file that Chromium's fake microphone reads. */
export function makeMicrophoneFile(name: string, wavFile: string): void {
  const opus = new URL(`../demo/speech/${name}.opus`, import.meta.url).pathname;
  execFileSync('ffmpeg', ['-loglevel', 'error', '-y', '-i', opus, '-ac', '1', '-ar', '48000', wavFile]);
}

/** Opens a real Chromium with a profile on disk, in English and light mode. */
export function openBrowser(
  profile: string,
  { url, wavFile, screen }: { url: string; wavFile: string; screen: Screen },
): Promise<BrowserContext> {
  return chromium.launchPersistentContext(profile, {
    executablePath: findEngine(),
    headless: true,
    baseURL: url,
    chromiumSandbox: process.getuid?.() !== 0,
    viewport: screen,
    locale: 'en-GB',
    colorScheme: 'light',
    reducedMotion: 'reduce',
    args: [
      '--no-first-run',
      '--disable-gpu',
      '--autoplay-policy=no-user-gesture-required',
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      `--use-file-for-fake-audio-capture=${wavFile}`,
    ],
  });
}

export const firstPage = async (context: BrowserContext): Promise<Page> =>
  context.pages()[0] ?? (await context.newPage());
