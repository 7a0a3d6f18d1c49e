import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { Screen } from './browser.ts';

export interface Frame {
  caption: string;
  at: string;
  shownMs: number;
  picture: Buffer | { lines: readonly string[] };
}

const captionHeightPx = 56;
/** Stays below the limit of 600 kB for a picture in the README. */
const quality = 72;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const contentOf = ({ picture }: Frame, { width, height }: Screen): string =>
  Buffer.isBuffer(picture)
    ? `<img src="data:image/png;base64,${picture.toString('base64')}" width="${width}" height="${height}">`
    : `<pre style="width:${width - 80}px;height:${height - 80}px">${picture.lines.map(escaped).join('\n')}</pre>`;

const pageOf = (frame: Frame, screen: Screen): string => `<!doctype html><style>
  body { margin: 0; width: ${screen.width}px; background: #fbfaf7; font: 600 19px system-ui, sans-serif; color: #fff }
  img, pre { display: block; margin: 0 } pre { padding: 40px; background: #16181d; color: #e8e6e1; font: 18px/1.7 monospace; white-space: pre-wrap }
  p { display: flex; justify-content: space-between; align-items: center; height: ${captionHeightPx}px; margin: 0; padding: 0 20px; background: #16181d }
  p span { font-weight: 400; font-variant-numeric: tabular-nums }
</style>${contentOf(frame, screen)}<p>${escaped(frame.caption)}<span>${escaped(frame.at)}</span></p>`;

/** Draws each frame with its caption and time below it, and joins them into one looping animation. */
export async function makeFilm(
  page: Page,
  frames: readonly Frame[],
  { screen, folder, file }: { screen: Screen; folder: string; file: string },
): Promise<void> {
  await page.setViewportSize({ width: screen.width, height: screen.height + captionHeightPx });
  const list: string[] = [];
  for (const [index, frame] of frames.entries()) {
    const name = `${String(index).padStart(3, '0')}.png`;
    await page.setContent(pageOf(frame, screen));
    writeFileSync(join(folder, name), await page.screenshot());
    list.push(`file '${name}'`, `duration ${frame.shownMs / 1000}`);
  }
  const last = list.at(-2) ?? '';
  writeFileSync(join(folder, 'frames.txt'), [...list, last, ''].join('\n'));
  execFileSync('ffmpeg', [
    '-loglevel',
    'error',
    '-y',
    '-f',
    'concat',
    '-safe',
    '0',
    '-i',
    join(folder, 'frames.txt'),
    '-fps_mode',
    'vfr',
    '-c:v',
    'libwebp_anim',
    '-loop',
    '0',
    '-quality',
    String(quality),
    '-compression_level',
    '6',
    file,
  ]);
}
