import type { CDPSession, Page } from '@playwright/test';
import { percentile, round, type Row } from './figures.ts';

/** JavaScript that runs in the page on every frame; `step` counts from 0. */
export interface Motion {
  body: string;
  steps: number;
}

async function mainThreadMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
}

/**
 * Runs the motion once per frame. Returns how long each frame took and the CPU time of the page's main thread per
 * frame.
 */
export async function framesOf(page: Page, { body, steps }: Motion): Promise<Row> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const before = await mainThreadMs(session);
  // Passed as text, because the page's CSP forbids creating functions from text.
  const frames = await page.evaluate<number[]>(`(async () => {
    const nextFrame = () => new Promise((resolve) => { requestAnimationFrame(resolve); });
    const times = [];
    let last = await nextFrame();
    for (let step = 0; step < ${steps}; step += 1) {
      ${body}
      const now = await nextFrame();
      times.push(now - last);
      last = now;
    }
    return times;
  })()`);
  const worked = (await mainThreadMs(session)) - before;
  await session.detach();
  return {
    frames: frames.length,
    'median ms': round(percentile(frames, 0.5)),
    'p95 ms': round(percentile(frames, 0.95)),
    'longest ms': round(Math.max(...frames)),
    'over 16.7 ms': frames.filter((ms) => ms > 17.5).length,
    'over 50 ms': frames.filter((ms) => ms > 50).length,
    'CPU of the main thread, ms per frame': round(worked / frames.length),
  };
}
