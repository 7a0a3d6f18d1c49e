import type { Page } from '@playwright/test';
import { speechFile } from '#tests/e2e/earshot-test.ts';
import { readWav } from '#tests/support/compare-speech.ts';
import { appendAll, startTake, sealTake, sha256Hex, type ApiClient } from '#tests/support/api-client.ts';
import { withBrowser } from './bench-browser.ts';
import { percentile, round, type Row, type Section } from './figures.ts';
import { longTake, opusPacketsOf } from './synthetic-take.ts';

const runs = 7;

/** Stores a whole take as a device would and waits until it can be played. Returns its id. */
export async function storeTake(
  client: ApiClient,
  title: string,
  bytes: { audio: Uint8Array; peaks: Uint8Array; durationMs: number },
): Promise<string> {
  const take = await startTake(client, title);
  await appendAll(client, { uploadId: take.audioId, token: take.token }, { bytes: bytes.audio });
  await appendAll(client, { uploadId: take.peaksId, token: take.token }, { bytes: bytes.peaks });
  await sealTake(client, take, {
    audio: { lengthBytes: bytes.audio.length, sha256: sha256Hex(bytes.audio) },
    peaks: { lengthBytes: bytes.peaks.length, sha256: sha256Hex(bytes.peaks) },
    durationMs: bytes.durationMs,
  });
  for (;;) {
    const recording = await client.json('GET', `/api/recordings/${take.recordingId}`);
    if (
      typeof recording === 'object' &&
      recording !== null &&
      'state' in recording &&
      recording.state === 'ready'
    )
      return take.recordingId;
    await new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
  }
}

/** Measures from the click on a row until the player's first canvas has content. */
async function waveformMs(page: Page, title: string): Promise<number> {
  await page.getByRole('link', { name: 'Library' }).first().click();
  const link = page.getByRole('link', { name: title }).first();
  await link.waitFor();
  return link.evaluate(
    (element) =>
      new Promise<number>((resolve) => {
        const startedAt = performance.now();
        const check = () => {
          const drawn =
            location.pathname.startsWith('/recordings/') &&
            [...document.querySelectorAll('canvas')].some((canvas) => {
              const pixels =
                canvas.width > 0 && canvas.height > 0
                  ? canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data
                  : undefined;
              return pixels?.some((value) => value !== 0) ?? false;
            });
          if (drawn) resolve(performance.now() - startedAt);
          else requestAnimationFrame(check);
        };
        if (element instanceof HTMLElement) element.click();
        check();
      }),
  );
}

/**
 * Measures, on a newly loaded page, from the press on Play until the element plays and until it has moved by 20
 * ms.
 */
async function firstAudioMs(page: Page): Promise<{ playing: number; moved: number }> {
  await page.reload();
  const play = page.getByRole('button', { name: 'Play', exact: true }).first();
  await play.waitFor();
  return play.evaluate(
    (element) =>
      new Promise<{ playing: number; moved: number }>((resolve) => {
        const pressedAt = performance.now();
        const original = HTMLMediaElement.prototype.play;
        HTMLMediaElement.prototype.play = function play(this: HTMLMediaElement) {
          const from = this.currentTime;
          let playing = 0;
          this.addEventListener(
            'playing',
            () => {
              playing = performance.now() - pressedAt;
            },
            { once: true },
          );
          const check = () => {
            if (playing > 0 && this.currentTime >= from + 0.02)
              resolve({ playing, moved: performance.now() - pressedAt });
            else setTimeout(check, 1);
          };
          setTimeout(check, 0);
          return original.call(this);
        };
        if (element instanceof HTMLElement) element.click();
      }),
  );
}

async function heapMiB(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize / 1024 / 1024;
}

async function scrollThrough(
  page: Page,
): Promise<{ worstFrameMs: number; beforeMiB: number; afterMiB: number }> {
  const zoomIn = page.getByRole('button', { name: 'Zoom in', exact: true });
  for (let n = 0; n < 6 && (await zoomIn.isEnabled()); n += 1) await zoomIn.click();
  const beforeMiB = await heapMiB(page);
  const worstFrameMs = await page.evaluate(async () => {
    let worst = 0,
      last = performance.now(),
      on = true;
    const frame = () => {
      const now = performance.now();
      worst = Math.max(worst, now - last);
      last = now;
      if (on) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    const slider = document.querySelector('[role=slider]');
    for (let step = 0; step < 200; step += 1) {
      slider?.dispatchEvent(new KeyboardEvent('keydown', { key: String(step % 10), bubbles: true }));
      await new Promise((resolve) => {
        requestAnimationFrame(resolve);
      });
    }
    on = false;
    return worst;
  });
  return { worstFrameMs, beforeMiB, afterMiB: await heapMiB(page) };
}

/** Opens a 12-hour recording as a user does, compared with a 10-second one. */
export async function openBench(): Promise<Section> {
  const speech = readWav(speechFile);
  const rows = await withBrowser(async ({ page, client }) => {
    const packets = await opusPacketsOf(page, speech);
    const lines: Row[] = [];
    for (const [name, durationMs] of [
      ['10 s', 10_000],
      ['12 h', 12 * 3_600_000],
    ] as const) {
      await storeTake(client, `Bench ${name}`, longTake(packets, speech, durationMs));
      await page.reload();
      const waveform: number[] = [],
        playing: number[] = [],
        moved: number[] = [];
      for (let run = 0; run < runs; run += 1) {
        waveform.push(await waveformMs(page, `Bench ${name}`));
        const audio = await firstAudioMs(page);
        playing.push(audio.playing);
        moved.push(audio.moved);
      }
      const scroll = await scrollThrough(page);
      lines.push({
        recording: name,
        'waveform p50 ms': round(percentile(waveform, 0.5), 0),
        'first waveform ms': round(waveform[0] ?? 0, 0),
        'Play → playing p50 ms': round(percentile(playing, 0.5), 0),
        'Play → moved 20 ms p50 ms': round(percentile(moved, 0.5), 0),
        'worst frame while jumping, ms': round(scroll.worstFrameMs, 0),
        'heap before MiB': round(scroll.beforeMiB),
        'heap after MiB': round(scroll.afterMiB),
      });
    }
    return lines;
  });
  return {
    title: 'Opening a recording (loopback)',
    note: 'From the click on its row until the waveform is drawn; from the press on Play until the element plays, and until its position has moved by 20 ms. The 10-second recording is the baseline.',
    rows,
  };
}
