import { freePort } from '#scripts/free-port.ts';
import { openFirefox, openWebKit } from '#tests/faults/world/engines.ts';
import { until } from '#tests/faults/world/take.ts';
import { expect, test } from './earshot-test.ts';
import { shareSpeech } from './listening-steps.ts';

const engines = [
  ['Firefox', openFirefox],
  ['WebKitGTK', openWebKit],
] as const;

const state = `
  const slider = document.querySelector('[role="slider"]');
  const audio = document.querySelector('audio');
  return {
    atMs: Number(slider?.getAttribute('aria-valuenow') ?? -1),
    problem: /can’t|Couldn’t/.test(document.querySelector('[role="status"]')?.textContent ?? ''),
    source: audio?.currentSrc ?? '',
  };`;

for (const [name, open] of engines)
  test(`${name} plays a link with a password, after a press`, async ({ page }) => {
    const password = 'ferry lantern oats';
    const { url } = await shareSpeech(page, { password });
    const engine = await open(await freePort());
    if (typeof engine === 'string') {
      test.skip(true, engine);
      return;
    }
    try {
      await engine.goTo(url);
      await engine.evaluate(`
        document.querySelector('input').value = ${JSON.stringify(password)};
        document.querySelector('form').requestSubmit();
        return null;`);
      await until(
        async () =>
          (await engine.evaluate("return document.querySelector('[role=slider]') !== null;")) || null,
        'the player',
        30_000,
      );
      await engine.press('Play recording');
      const played = await until(
        async () => {
          const now = (await engine.evaluate(state)) as { atMs: number; problem: boolean; source: string };
          return now.atMs > 1500 || now.problem ? now : null;
        },
        'playback or its problem',
        60_000,
      );
      expect(played).toMatchObject({ problem: false });
      expect(played.source).toContain('/audio');
    } finally {
      await engine.close();
    }
  });
