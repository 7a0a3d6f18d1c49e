import { decodeInBrowser } from '#tests/support/compare-speech.ts';
import { expect, sharedTest, test } from './earshot-test.ts';
import {
  clockMs,
  onlyReadyRecording,
  onServerSentence,
  positionMs,
  signUp,
  startTake,
  stopTake,
  takesOnDevice,
  untilClock,
} from './steps.ts';

sharedTest(
  'shows the result first after Stop, and continues the same recording where it ended',
  { tag: '@core' },
  async ({ page }) => {
    await signUp(page);
    await startTake(page);
    await untilClock(page, 2000);
    await stopTake(page);
    await expect(page.getByRole('textbox', { name: 'Title' })).toBeFocused();
    await expect(page.getByText(onServerSentence)).toBeVisible();
    const first = await onlyReadyRecording(page);
    await page.keyboard.type('In two parts');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Continue recording', exact: true }).click();
    await expect(page.getByRole('button', { name: 'Stop', exact: true })).toBeVisible();
    await untilClock(page, (await clockMs(page)) + 2000);
    await stopTake(page);

    const recording = await onlyReadyRecording(page);
    expect(recording.title).toBe('In two parts');
    expect(recording.segments).toHaveLength(2);
    // The break takes no time in the recording.
    expect(Math.abs((recording.segments[1]?.startMs ?? 0) - first.durationMs)).toBeLessThanOrEqual(50);
    expect(recording.gaps.map(({ cause }) => cause)).not.toContain('stopped');
    const [stop] = recording.pauses;
    expect(stop).toMatchObject({ atMs: recording.segments[1]?.startMs, cause: 'stopped' });
    expect(stop?.durationMs).toBeGreaterThan(0);
    const heard = await decodeInBrowser(page, `/api/recordings/${recording.id}/audio`);
    expect(Math.abs(heard.durationMs - recording.durationMs)).toBeLessThanOrEqual(50);

    // For a day, it can also be continued from its own page, while nothing else is recorded.
    await page.getByRole('link', { name: 'Play', exact: true }).first().click();
    await expect(page.getByRole('region', { name: 'Breaks' })).toContainText(/Stopped for \d/);
    await page.getByRole('button', { name: 'Continue recording', exact: true }).click();
    await expect(page.getByRole('button', { name: 'Stop', exact: true })).toBeVisible();
    await untilClock(page, recording.durationMs + 1000);
    await stopTake(page);
    // Until the server has learnt that the recording continues, it still has two segments.
    await expect.poll(async () => (await onlyReadyRecording(page)).segments.length).toBe(3);
    const whole = await onlyReadyRecording(page);
    expect(whole.id).toBe(recording.id);
    expect(whole.durationMs).toBeGreaterThan(recording.durationMs);
  },
);

test('closing the page and an unreachable server lose nothing of a recording that continues', async ({
  page,
  server,
  consoleGuard,
}) => {
  consoleGuard.allow(/ERR_CONNECTION|ERR_EMPTY|ERR_INCOMPLETE|Failed to load resource/);
  await signUp(page);
  await startTake(page);
  await untilClock(page, 2000);
  await stopTake(page);
  const before = await onlyReadyRecording(page);
  await server.end('SIGKILL');
  await page.getByRole('button', { name: 'Continue recording', exact: true }).click();
  await untilClock(page, before.durationMs + 2000);
  page.on('dialog', (dialog) => {
    void dialog.accept();
  });
  await server.start();
  await page.reload();
  await expect
    .poll(async () => (await onlyReadyRecording(page)).segments.length, { timeout: 60_000 })
    .toBe(2);
  const after = await onlyReadyRecording(page);
  expect(after.id).toBe(before.id);
  expect(after.segments[0]).toMatchObject({
    sha256: before.segments[0]?.sha256,
    durationMs: before.segments[0]?.durationMs,
  });
  expect(after.durationMs).toBeGreaterThan(before.durationMs);
  expect(after.pauses.map(({ cause }) => cause)).toContain('stopped');
});

sharedTest(
  'reports a recording stopped on another screen there, with a button that opens and plays it',
  async ({ page }) => {
    await signUp(page);
    await startTake(page);
    await page.getByRole('link', { name: 'Library', exact: true }).first().click();
    const bar = page.getByRole('region', { name: 'Recording' });
    await bar.getByRole('button', { name: 'Pause', exact: true }).click();
    await bar.getByRole('button', { name: 'Resume', exact: true }).click();
    await untilClock(page, 1000);
    await bar.getByRole('button', { name: 'Stop', exact: true }).click();
    await expect(page.getByText(/Recording stopped\. .*, saved on this device/).first()).toBeVisible();
    await expect(page.getByRole('heading', { level: 1, name: 'Library' })).toBeFocused();
    await page.getByRole('button', { name: 'Play', exact: true }).last().click();
    await expect(page).toHaveURL(/\/recordings\//);
    await expect.poll(() => positionMs(page)).toBeGreaterThan(100);
  },
);

sharedTest(
  'signed out: the same recording continues after Stop and plays completely from this device',
  async ({ page }) => {
    await startTake(page);
    await untilClock(page, 1500);
    await stopTake(page);
    await expect(page.getByRole('button', { name: 'Continue recording', exact: true })).toBeVisible();
    const firstMs = (await takesOnDevice(page))[0]?.durationMs ?? 0;
    await page.getByRole('button', { name: 'Continue recording', exact: true }).click();
    await expect(page.getByRole('button', { name: 'Stop', exact: true })).toBeVisible();
    await untilClock(page, firstMs + 1500);
    await stopTake(page);
    await expect.poll(async () => (await takesOnDevice(page)).map(({ state }) => state)).toEqual(['stopped']);
    const [take] = await takesOnDevice(page);
    expect(take?.segments).toHaveLength(2);
    expect(take?.pauses).toEqual([
      { atMs: firstMs, durationMs: expect.any(Number) as unknown, cause: 'stopped' },
    ]);
    expect(take?.segments[1]?.startMs).toBe(firstMs);
    expect(take?.durationMs).toBeGreaterThan(firstMs + 1000);
    await page.getByRole('link', { name: 'Play', exact: true }).first().click();
    await expect(page.getByRole('slider', { name: 'Position' }).first()).toHaveAttribute(
      'aria-valuemax',
      String(take?.durationMs),
    );
  },
);

sharedTest(
  'playback in another tab continues while the recording continues, and its page grows',
  async ({ page, browserContext }) => {
    await signUp(page);
    await startTake(page);
    await untilClock(page, 8000);
    await stopTake(page);
    const before = await onlyReadyRecording(page);
    const listener = await browserContext.newPage();
    await listener.goto(`/recordings/${before.id}`);
    await listener.getByRole('button', { name: 'Play', exact: true }).first().click();
    await expect.poll(() => positionMs(listener)).toBeGreaterThan(300);
    await page.getByRole('button', { name: 'Continue recording', exact: true }).click();
    await expect(page.getByRole('button', { name: 'Stop', exact: true })).toBeVisible();
    const heardMs = await positionMs(listener);
    await untilClock(page, before.durationMs + 2000);
    await expect.poll(() => positionMs(listener)).toBeGreaterThan(heardMs);
    const lengthMs = async () =>
      Number(await listener.getByRole('slider', { name: 'Position' }).first().getAttribute('aria-valuemax'));
    await expect.poll(lengthMs, { timeout: 30_000 }).toBeGreaterThan(before.durationMs);
    await stopTake(page);
    const after = await onlyReadyRecording(page);
    await expect.poll(lengthMs, { timeout: 30_000 }).toBeGreaterThanOrEqual(after.durationMs - 100);
    await expect(listener.getByRole('alert')).toHaveCount(0);
  },
);
