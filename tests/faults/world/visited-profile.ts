import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EarshotServer } from '#tests/support/earshot-server.ts';
import { appAddress, BrowserProcess } from './browser-process.ts';
import { signalFile } from './listen.ts';

let visited: Promise<string> | null = null;

async function visit(): Promise<string> {
  const profile = mkdtempSync(join(tmpdir(), 'earshot-visited-'));
  process.once('exit', () => {
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  });
  const server = await EarshotServer.launch({ PUBLIC_URL: appAddress });
  const browser = await BrowserProcess.launch(profile, {
    microphoneFile: signalFile(),
    serverPort: Number(new URL(server.url).port),
  });
  try {
    const page = await browser.page();
    await page.goto(appAddress);
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready;
    });
    await page.reload({ waitUntil: 'networkidle' });
    await browser.quit();
    return profile;
  } finally {
    await browser.kill();
    await server.dispose();
  }
}

/**
 * A profile in which the app was opened before, so that its service worker is installed, as in nearly every
 * browser that records. Created once and then copied.
 */
export function visitedProfile(): Promise<string> {
  visited ??= visit();
  return visited;
}
