import { test } from '#tests/e2e/earshot-test.ts';
import { expectAccessible } from './axe.ts';
import {
  accountScenes,
  guestScenes,
  handlingScenes,
  recordingScenes,
  rejectedScene,
  secondTabScenes,
  takeScenes,
  visit,
  withRecording,
  type Scene,
} from './scenes.ts';
import { signUp, startTake, stopTake } from '#tests/e2e/steps.ts';
import type { Page } from '@playwright/test';

async function expectAllAccessible(page: Page, scenes: readonly Scene[]): Promise<void> {
  for (const scene of scenes) {
    await scene.open(page);
    await expectAccessible(page, scene);
    await scene.leave?.(page);
  }
}

test.beforeEach(({ consoleGuard }) => {
  consoleGuard.allow(/40[014]|422/);
});

test('pages of signed-out users are accessible in every language and appearance', async ({ page }) => {
  await expectAllAccessible(page, guestScenes);
});

test('pages of an account are accessible in every language and appearance', async ({ page }) => {
  await signUp(page);
  await expectAllAccessible(page, accountScenes);
});

test('a recording is accessible in every language and appearance, from the library to the trash', async ({
  page,
  browserContext,
  server,
}) => {
  const id = await withRecording(page, browserContext, server.url);
  await expectAllAccessible(page, recordingScenes(id));
});

test('filtering, selecting, tagging, playing and taking notes are accessible in every language and appearance', async ({
  page,
  browserContext,
  server,
}) => {
  const id = await withRecording(page, browserContext, server.url);
  await expectAllAccessible(page, handlingScenes(id));
});

test('a take is accessible in every language and appearance, while it runs and afterwards', async ({
  page,
}) => {
  await signUp(page);
  await expectAllAccessible(page, takeScenes);
});

test.describe('without a microphone', () => {
  test.use({ browserOptions: { microphone: 'deny' } });
  test('the error is accessible in every language and appearance', async ({ page }) => {
    await expectAllAccessible(page, [rejectedScene]);
  });
});

test('the recorder is accessible in every language and appearance while another tab records', async ({
  page,
  browserContext,
}) => {
  await signUp(page);
  await visit(page, '/');
  await startTake(page);
  await expectAllAccessible(await browserContext.newPage(), secondTabScenes);
  await page.bringToFront();
  await stopTake(page);
});
