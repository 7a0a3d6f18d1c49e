import { join } from 'node:path';
import type { BrowserContext, Page } from '@playwright/test';
import { build } from 'vite';

const entry = join(import.meta.dirname, 'holding-page.ts');
let script: Promise<string> | null = null;

async function bundle(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      minify: false,
      target: 'es2023',
      lib: { entry, formats: ['es'], fileName: 'holding' },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  const [output] = Array.isArray(built) ? built : [built];
  if (!output || !('output' in output)) throw new Error('the build has no output');
  return output.output[0].code;
}

/**
 * Opens a tab with the app's API client and no screens, on the server's own origin. Everything below `/api` and
 * `/auth` is the real server.
 */
export async function openHoldingPage(context: BrowserContext): Promise<Page> {
  script ??= bundle();
  const code = await script;
  const page = await context.newPage();
  await page.route('**/holding-page', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: '<!doctype html><title>holding</title><script type="module" src="/holding-page.js"></script>',
    }),
  );
  await page.route('**/holding-page.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: code }),
  );
  await page.goto('/holding-page');
  await page.waitForFunction(() => 'holding' in globalThis && holding.status() !== 'unknown');
  return page;
}
