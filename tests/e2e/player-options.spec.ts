import type { Page } from '@playwright/test';
import { makeChannelsWav } from '#tests/support/made-wav.ts';
import { expect, sharedTest as test } from './earshot-test.ts';
import { openSpeech, play, positionSlider } from './player-steps.ts';
import { onlyReadyRecording, positionMs, signUp } from './steps.ts';

/** Lets `loudestHeard` measure what Web Audio plays. */
const hearOutput = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const Compressor = globalThis.DynamicsCompressorNode;
    globalThis.DynamicsCompressorNode = class extends Compressor {
      constructor(context: BaseAudioContext, options?: DynamicsCompressorOptions) {
        super(context, options);
        const analyser = new AnalyserNode(context, { fftSize: 2048 });
        super.connect(analyser);
        Object.assign(globalThis, { heard: analyser });
      }
    };
  });

/** The largest sample that is played within a second, or within a quarter of a minute if there is no sound. */
const loudestHeard = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const { heard }: { heard?: AnalyserNode } = Object(globalThis);
        const samples = new Float32Array(2048);
        let max = 0;
        const look = (left: number) => {
          heard?.getFloatTimeDomainData(samples);
          max = Math.max(max, ...samples.map(Math.abs));
          // Speech has pauses, so it samples for at least a second, and longer until there is sound.
          if (left === 0 || (left < 840 && max > 0.05)) resolve(max);
          else requestAnimationFrame(() => look(left - 1));
        };
        look(900);
      }),
  );

test('skips as much silence as announced, and stores the choice', async ({ page }) => {
  await openSpeech(page);
  await page.getByRole('button', { name: 'Playback options' }).click();
  await page.getByText('Skip silence').click();
  const words = page.getByText(/^Saves .* in this recording\.$/);
  await expect(words).toBeVisible();
  const savedMs = Number((await words.innerText()).replace(/[^\d.]/g, '').replace(/\.$/, '')) * 1000;
  expect(savedMs, 'the speech has pauses').toBeGreaterThan(500);
  await page.keyboard.press('Escape');
  const jumps = page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const slider = document.querySelector('[role=slider][aria-label=Position]');
        let [before, skippedMs] = [0, 0];
        new MutationObserver(() => {
          const now = Number(slider?.getAttribute('aria-valuenow'));
          if (now - before > 260) skippedMs += now - before;
          before = now;
          if (now >= Number(slider?.getAttribute('aria-valuemax')) - 5) resolve(skippedMs);
        }).observe(document.body, { subtree: true, attributeFilter: ['aria-valuenow'] });
      }),
  );
  await play(page);
  expect(await jumps).toBeGreaterThan(savedMs * 0.7);
  await page.reload();
  await page.getByRole('button', { name: 'Playback options' }).click();
  await expect(page.getByRole('switch', { name: /Skip silence/ })).toBeChecked();
});

test('plays at every speed, and three times as loud without clipping', async ({ page }) => {
  await hearOutput(page);
  await openSpeech(page);
  for (const speed of ['0.5', '3']) {
    await page.getByRole('combobox', { name: 'Speed' }).selectOption(speed);
    await positionSlider(page).focus();
    await page.keyboard.press('Home');
    await play(page);
    // Position and clock are read together, because a second call would be late on a slow machine.
    const read = () =>
      positionSlider(page).evaluate((slider) => ({
        atMs: Number(slider.getAttribute('aria-valuenow')),
        clockMs: performance.now(),
      }));
    const from = await read();
    await expect.poll(() => positionMs(page), { intervals: [50] }).toBeGreaterThan(from.atMs + 1000);
    const to = await read();
    const share = (to.atMs - from.atMs) / (to.clockMs - from.clockMs);
    expect(share, `at ${speed}`).toBeLessThan(Number(speed) * 1.15);
    // Faster than normal speed, also on a busy machine.
    if (Number(speed) > 1) expect(share, `at ${speed}`).toBeGreaterThan(1.15);
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
  }
  await page.getByRole('combobox', { name: 'Speed' }).selectOption('1');
  await page.getByRole('button', { name: 'Playback options' }).click();
  await page.getByRole('combobox', { name: 'Volume boost' }).selectOption('3');
  await page.keyboard.press('Escape');
  await positionSlider(page).focus();
  await page.keyboard.press('Home');
  await play(page);
  await expect.poll(() => positionMs(page)).toBeGreaterThan(1500);
  const loudest = await loudestHeard(page);
  expect(loudest, 'sound comes out of Web Audio').toBeGreaterThan(0.05);
  expect(loudest, 'the sound does not clip').toBeLessThanOrEqual(1.0);
});

test('the sleep timer shows its remaining time, and stops at the end of the recording', async ({ page }) => {
  await openSpeech(page);
  await page.getByRole('button', { name: 'Playback options' }).click();
  await page.getByRole('combobox', { name: 'Sleep timer' }).selectOption({ label: 'After 15 minutes' });
  await expect(page.getByText(/^Stops in 1[45]/)).toBeVisible();
  await page
    .getByRole('combobox', { name: 'Sleep timer' })
    .selectOption({ label: 'At the end of the recording' });
  await page.keyboard.press('Escape');
  await page.keyboard.press('9');
  await play(page);
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible({ timeout: 20_000 });
  await page.getByRole('button', { name: 'Playback options' }).click();
  await expect(page.getByRole('combobox', { name: 'Sleep timer' })).toHaveValue('off');
});

test('one channel of a field recording is heard alone, by its name', async ({ page }) => {
  await hearOutput(page);
  await signUp(page);
  await page.getByRole('link', { name: 'Library', exact: true }).first().click();
  await page.locator('input[data-import=files]').setInputFiles({
    name: 'T001.wav',
    mimeType: 'audio/wav',
    buffer: makeChannelsWav([0.1, 0, 0, 0.4], { seconds: 20, names: ['Mix', '', 'Boom', 'Ana'] }),
  });
  const { id } = await onlyReadyRecording(page);
  await page.goto(`/recordings/${id}`);
  await page.getByRole('button', { name: 'Playback options' }).click();
  const channels = page.getByRole('combobox', { name: 'Channels' });
  await expect(channels).toHaveValue('all');
  await expect(channels.getByRole('option')).toHaveText([
    'All channels',
    'Channel 1: Mix',
    'Channel 2',
    'Channel 3: Boom',
    'Channel 4: Ana',
  ]);
  await channels.selectOption({ label: 'Channel 4: Ana' });
  await page.keyboard.press('Escape');
  await play(page);
  await expect.poll(() => loudestHeard(page)).toBeGreaterThan(0.3);
  const atMs = await positionMs(page);
  await page.getByRole('button', { name: 'Playback options' }).click();
  await channels.selectOption({ label: 'Channel 1: Mix' });
  await expect.poll(() => loudestHeard(page)).toBeLessThan(0.2);
  expect(await loudestHeard(page)).toBeGreaterThan(0.05);
  await channels.selectOption({ label: 'All channels' });
  await expect.poll(() => loudestHeard(page)).toBeGreaterThan(0.3);
  expect(await positionMs(page)).toBeGreaterThan(atMs);
});
