import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBrowser } from '#tests/e2e/earshot-test.ts';
import { openFirefox } from '#tests/faults/world/engines.ts';
import { freePort } from '#scripts/free-port.ts';
import type { Played, ReadFile } from './results.ts';

/** A browser that plays and reads files. */
export interface Probe {
  name: string;
  play: (file: string, seconds: number) => Promise<Played>;
  read: (file: string) => Promise<ReadFile>;
  close: () => Promise<void>;
}

function probeOf(name: string, run: (body: string) => Promise<unknown>, close: () => Promise<void>): Probe {
  const ask = (call: string, file: string, seconds = 0) =>
    run(`return await globalThis.formats.${call}(${JSON.stringify(`/files/${file}`)}, ${seconds});`);
  return {
    name,
    play: async (file, seconds) => (await ask('play', file, seconds)) as Played,
    read: async (file) => (await ask('read', file)) as ReadFile,
    close,
  };
}

async function openChromium(url: string): Promise<Probe> {
  const profile = mkdtempSync(join(tmpdir(), 'earshot-formats-'));
  const context = await openBrowser({ profile, baseURL: url, isWhole: true });
  const page = context.pages()[0] ?? (await context.newPage());
  await page.goto(url);
  const version = await page.evaluate(() => /Chrome\/(\d+)/.exec(navigator.userAgent)?.[1] ?? '');
  return probeOf(
    `Chromium ${version}`,
    (body) => page.evaluate(`(async () => { ${body} })()`),
    async () => {
      await context.close();
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  );
}

async function openEsr(url: string): Promise<Probe | null> {
  const engine = await openFirefox(await freePort());
  if (typeof engine === 'string') {
    console.log(`${engine}: its columns are missing.`);
    return null;
  }
  await engine.goTo(url);
  const version = await engine.evaluate('return /Firefox\\/(\\d+)/.exec(navigator.userAgent)?.[1]');
  return probeOf(
    `Firefox ${String(version)}`,
    (body) => engine.evaluate(body),
    () => engine.close(),
  );
}

/** Opens the probe page in Chromium and, if installed, in Firefox. */
export async function openBrowsers(url: string): Promise<Probe[]> {
  return [await openChromium(url), await openEsr(url)].filter((probe) => probe !== null);
}
