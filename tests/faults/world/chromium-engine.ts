import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { findBrowser } from '#tests/support/find-browser.ts';
import type { Engine, EngineOptions } from './engines.ts';
import { processTree, signalAll } from './process-tree.ts';

/** Chromium as an engine among others, with a real microphone and a real loudspeaker. */
export async function openChromium(
  _port: number,
  { profile: ownProfile, sound, script }: EngineOptions = {},
): Promise<Engine> {
  const profile = ownProfile ?? mkdtempSync(join(tmpdir(), 'earshot-chromium-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: findBrowser(),
    headless: false,
    args: ['--headless=new', '--autoplay-policy=no-user-gesture-required', '--use-fake-ui-for-media-stream'],
    ignoreDefaultArgs: ['--mute-audio'],
    chromiumSandbox: process.getuid?.() !== 0,
    env: { ...process.env, ...sound?.environment },
    viewport: { width: 1280, height: 900 },
    locale: 'en-GB',
  });
  const page = context.pages()[0] ?? (await context.newPage());
  if (script !== undefined) await page.addInitScript({ content: script });
  const pids = (commandContains = ''): number[] => {
    const main = processTree(process.pid).find(({ command }) =>
      command.includes(`--user-data-dir=${profile}`),
    );
    return main === undefined
      ? []
      : processTree(main.pid)
          .filter(({ command }) => command.includes(commandContains))
          .map(({ pid }) => pid);
  };
  return {
    evaluate: async (body) =>
      JSON.parse(
        await page.evaluate<string>(
          `(async () => JSON.stringify((await (async () => { ${body} })()) ?? null))()`,
        ),
      ),
    goTo: async (url) => {
      await page.goto(url);
    },
    press: (name) => page.getByRole('button', { name, exact: true }).first().click({ timeout: 2000 }),
    resize: (width, height) => page.setViewportSize({ width, height }),
    pids,
    async kill() {
      const ended = new Promise((resolve) => {
        context.once('close', resolve);
      });
      const all = pids();
      const atMs = Date.now();
      signalAll(all, 'SIGKILL');
      await ended;
      return atMs;
    },
    async close() {
      await context.close().catch(() => undefined);
      if (ownProfile === undefined) rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
