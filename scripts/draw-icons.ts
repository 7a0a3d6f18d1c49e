import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { findBrowser } from '#tests/support/find-browser.ts';

const folder = join(import.meta.dirname, '..', 'src', 'web', 'public');

/** Home screens do not accept SVG. Lists each PNG they need, with its edge in pixels. */
const pictures = [
  { source: 'icon.svg', target: 'icon-192.png', edge: 192 },
  { source: 'icon.svg', target: 'icon-512.png', edge: 512 },
  { source: 'icon-maskable.svg', target: 'icon-maskable-512.png', edge: 512 },
  // iOS rounds the corners and fills transparent areas with black.
  { source: 'icon-maskable.svg', target: 'apple-touch-icon.png', edge: 180 },
] as const;

/** Draws the PNG icons from the SVG ones. Run it by hand when those change. */
async function drawIcons(): Promise<void> {
  const browser = await chromium.launch({
    executablePath: findBrowser(),
    chromiumSandbox: process.getuid?.() !== 0,
  });
  for (const { source, target, edge } of pictures) {
    const page = await browser.newPage({ viewport: { width: edge, height: edge } });
    const svg = await readFile(join(folder, source), 'utf8');
    await page.setContent(
      `<style>body { margin: 0; } svg { display: block; width: 100vw; height: 100vh; }</style>${svg}`,
    );
    await page.screenshot({ path: join(folder, target), omitBackground: true });
    await page.close();
  }
  await browser.close();
}

await drawIcons();
