import { second } from '#base/duration.ts';
import { expect, sharedTest as test } from './earshot-test.ts';
import { takesOnDevice, untilClock } from './steps.ts';

test.use({ browserOptions: { serviceWorkers: 'allow' } });

test(
  'a first visit records its first second after two actions, without an account',
  { tag: '@core' },
  async ({ browserContext, server }, testInfo) => {
    const page = browserContext.pages()[0] ?? (await browserContext.newPage());
    const beganAt = performance.now();
    // The two actions: the user opens the page and presses Record.
    await page.goto(server.url);
    await page.getByRole('button', { name: 'Record', exact: true }).click();
    await untilClock(page, second);
    // It takes two or three seconds on an idle machine; the promise is ten.
    testInfo.annotations.push({
      type: 'until the first recorded second',
      description: `${Math.round(performance.now() - beganAt)} ms`,
    });
    await expect
      .poll(() => takesOnDevice(page))
      .toMatchObject([{ ownerId: null, state: 'recording', segments: [{ index: 0 }] }]);
  },
);
