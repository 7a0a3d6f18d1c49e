import { cookieHeader } from '#tests/support/cookie-header.ts';
import { uploadLongRecording } from '#tests/support/long-recording.ts';
import { expect, test } from './earshot-test.ts';
import { play, positionSlider } from './player-steps.ts';
import { positionMs, signUp } from './steps.ts';

test('playback resumes without a press after the server was killed, and its controls stay where they are', async ({
  page,
  server,
  browserContext,
  consoleGuard,
}) => {
  consoleGuard.allow(/net::ERR_/);
  await signUp(page);
  const id = await uploadLongRecording(server.url, await cookieHeader(browserContext, server.url));
  await page.goto(`/recordings/${id}`);
  await play(page);
  await expect.poll(() => positionMs(page)).toBeGreaterThan(100);
  const pause = page
    .getByRole('region', { name: 'Player' })
    .getByRole('button', { name: 'Pause', exact: true });
  const place = await pause.boundingBox();

  await server.end('SIGKILL');
  const box = await positionSlider(page).boundingBox();
  if (!box) throw new Error('the waveform has no box');
  await page.mouse.click(box.x + box.width * 0.8, box.y + box.height / 2);
  const soughtMs = await positionMs(page);
  await expect(page.getByText('Connection lost. Playback resumes automatically.')).toBeVisible();
  expect(await pause.boundingBox()).toEqual(place);

  await server.start();
  await expect.poll(() => positionMs(page), { timeout: 30_000 }).toBeGreaterThan(soughtMs + 200);
  await expect(page.getByText(/Connection lost|Couldn’t load the audio/)).toHaveCount(0);
});
