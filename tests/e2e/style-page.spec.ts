import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, expect, test } from '@playwright/test';
import { freePort } from '#scripts/free-port.ts';
import { findBrowser } from '#tests/support/find-browser.ts';

const script = join(import.meta.dirname, '..', '..', 'scripts', 'dev.ts');

function untilReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => {
      reject(new Error(`the development server ended with ${code}`));
    });
    child.stdout?.on('data', (chunk) => {
      if (String(chunk).includes('is ready')) resolve();
    });
  });
}

test('the development server serves the app, its API and every component in every state without an error', async () => {
  const port = await freePort();
  const dataDir = mkdtempSync(join(tmpdir(), 'earshot-dev-'));
  const child = spawn(process.execPath, [script], {
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const browser = await chromium.launch({
    executablePath: findBrowser(),
    chromiumSandbox: process.getuid?.() !== 0,
  });
  try {
    await untilReady(child);
    const page = await browser.newPage({ baseURL: `http://localhost:${port}` });
    const errors: string[] = [];
    page.on('pageerror', (error) => {
      errors.push(String(error));
    });

    await page.goto('/');
    await expect(page.getByRole('button', { name: 'Record', exact: true })).toBeVisible({ timeout: 60_000 });
    await expect
      .poll(async () => (await page.request.get('/api/session')).headers()['content-type'])
      .toContain('json');

    await page.goto('/dev/ui?lang=ar-XB&theme=dark&dir=rtl');
    await expect(page.getByRole('heading', { name: 'library/recording-row' })).toBeVisible({
      timeout: 60_000,
    });
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
    ).toBeLessThanOrEqual(0);

    // In development a pane loads hundreds of modules. One of the four is enough to show that the chosen language
    // reaches them.
    await page.route(/\/dev\/ui\?(?!lang=de&theme=light&dir=ltr)/, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }),
    );
    await page.goto('/dev/ui');
    await expect(page.locator('iframe')).toHaveCount(4);
    await page.getByLabel('Language').selectOption('de');
    for (const pane of await page.locator('iframe').all())
      await expect(pane).toHaveAttribute('src', /lang=de/);
    await expect(
      page.frameLocator('iframe').first().getByRole('button', { name: 'Aufnehmen' }).first(),
    ).toBeVisible({ timeout: 60_000 });
    expect(errors).toEqual([]);
  } finally {
    await browser.close();
    child.removeAllListeners('exit');
    const ended = new Promise((resolve) => {
      child.once('exit', resolve);
    });
    child.kill('SIGTERM');
    if (child.exitCode === null) await ended;
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
});
