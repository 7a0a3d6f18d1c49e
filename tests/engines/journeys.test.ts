import assert from 'node:assert/strict';
import { beforeAll, describe, expect, it } from 'vitest';
import type { RecordingPage } from '#contract/recordings.ts';
import { buildWeb } from '#scripts/build-web.ts';
import {
  engineNames,
  withEngineTrial,
  type EngineName,
  type EngineTrial,
  type EngineTrialOptions,
} from '#tests/faults/world/engine-trial.ts';
import type { Ear } from '#tests/faults/world/sound-server.ts';
import { until } from '#tests/faults/world/take.ts';
import { newId } from '#tests/support/api-client.ts';
import {
  chooseFile,
  codedFile,
  fill,
  firstHeardMs,
  heardPieces,
  importFormats,
  pressText,
} from './engine-steps.ts';

/** What an engine cannot do, and is therefore not asked to. */
const cannot: Record<EngineName, string[]> = {
  Chromium: [],
  Firefox: [],
  WebKitGTK: [
    'store files (its features StorageAPI and FileSystem are off by default): it stores takes in IndexedDB',
  ],
};

const hasStop = `[...document.querySelectorAll('button')].some((one) => (one.getAttribute('aria-label') ?? one.textContent).trim() === 'Stop')`;

/** Where the player is, in ms; -1 without a player. */
const sliderMs = `Number(document.querySelector('[role=slider]')?.getAttribute('aria-valuenow') ?? -1)`;

const listOf = async ({ client }: EngineTrial): Promise<RecordingPage['items']> =>
  ((await client.json('GET', '/api/recordings')) as RecordingPage).items;

const problemsOf = (trial: EngineTrial): Promise<unknown> => trial.engine.evaluate('return problems;');

const placeMs = 7500;

/** How far after the chosen place an engine may be heard first, in ms. */
const maxLateMs = (engine: EngineName, extension: string): number =>
  // It may have to load a file again that it cannot seek in exactly. Its volume then comes back late.
  engine === 'WebKitGTK' && extension === 'ogg' ? 600 : 250;

/** Opens a recording at a place and plays it. Returns the time of the signal that is heard first. */
async function firstHeardAt(trial: EngineTrial, { id, ear }: { id: string; ear: Ear }): Promise<number> {
  await trial.engine.goTo(`${trial.url}/recordings/${id}#t=${placeMs / 1000}`);
  await trial.untilTrue(`Math.abs(${sliderMs} - ${placeMs}) < 100`, 'the chosen place');
  await trial.press('Play');
  return firstHeardMs(await heardPieces(ear, 1000));
}

async function reopen(trial: EngineTrial): Promise<void> {
  await trial.engine.kill();
  await trial.open();
}

/**
 * Imports a file and returns its id. If its decoder ends the page (AAC and Opus in WebKitGTK 2.50), the file is chosen
 * again in the next one, which leaves the decoding to the server.
 */
async function importFile(trial: EngineTrial, extension: string): Promise<string> {
  const name = `signal-${extension}`;
  const file = { name: `${name}.${extension}`, bytes: codedFile(extension) };
  const isReady = async () =>
    (await listOf(trial)).find(({ title, state }) => title.includes(name) && state === 'ready')?.id ?? null;
  const choose = async (withinMs: number) => {
    await trial.engine.goTo(`${trial.url}/library`);
    await chooseFile(trial, file);
    return until(isReady, `an imported ${extension}`, withinMs);
  };
  if (trial.options.engine !== 'WebKitGTK') return choose(60_000);
  return choose(25_000).catch(async () => {
    console.log(`WebKitGTK: the import of ${extension} did not end in its first page`);
    await reopen(trial);
    return choose(60_000);
  });
}

for (const line of engineNames.flatMap((name) => cannot[name].map((what) => `${name} cannot ${what}`)))
  console.log(`not tried: ${line}`);

beforeAll(async () => {
  await buildWeb();
}, 300_000);

describe.each(engineNames)('%s', (engine) => {
  /** Runs a journey in a new browser, or skips it with the reason. */
  const journey = (
    name: string,
    work: (trial: EngineTrial) => Promise<void>,
    options: Omit<EngineTrialOptions, 'engine'> = {},
  ) => {
    it(`${name}`, async (context) => {
      const reason = await withEngineTrial(1, { engine, ...options }, work);
      context.skip(typeof reason === 'string', String(reason));
      expect(reason).toBeUndefined();
    });
  };

  journey(
    'records signed out with pause, marker, note and another language, plays, and claims',
    async (trial) => {
      await trial.untilTrue('document.readyState === "complete"', 'the page');
      await trial.press('Record');
      await trial.untilClock(2000);
      assert.deepEqual(await problemsOf(trial), []);

      await trial.press('Pause');
      await trial.untilText('Resume');
      const pausedMs = await trial.clockMs();
      await new Promise((resolve) => setTimeout(resolve, 1500));
      assert.ok(Math.abs((await trial.clockMs()) - pausedMs) < 300, 'the clock stands during a pause');
      await trial.press('Resume');
      await trial.untilClock(pausedMs + 1000);

      await trial.press('Add marker');
      await fill(trial, { field: 'Name for the marker', text: 'Harbour' });
      await trial.press('Add note');
      await fill(trial, { field: 'Note at', text: 'Ask for the letter' });
      await trial.press('Done');

      await pressText(trial, { selector: 'button', words: 'English' });
      await pressText(trial, {
        selector: '[role=option], [role=menuitemradio], [role=radio]',
        words: 'العربية',
      });
      await trial.untilTrue("document.documentElement.dir === 'rtl'", 'Arabic');
      const inArabicMs = await trial.clockMs();
      await trial.untilClock(inArabicMs + 1000);
      await pressText(trial, { selector: 'button', words: 'العربية' });
      await pressText(trial, {
        selector: '[role=option], [role=menuitemradio], [role=radio]',
        words: 'English',
      });
      await trial.untilTrue("document.documentElement.dir === 'ltr'", 'English');

      await trial.press('Stop');
      await trial.untilText('Record another');
      const ear = trial.sound.listen('speaker');
      await pressText(trial, { selector: 'main a, main button', words: 'Play' });
      await trial.untilTrue(`${sliderMs} >= 0`, 'the player');
      await trial.press('Play');
      await heardPieces(ear, 1500);
      ear.close();

      await trial.signInAndClaim();
      const { recording } = await trial.account({ capturedMs: 0 });
      assert.ok(recording.durationMs > inArabicMs, 'the take continues in another language');
      const markers = await trial.client.json('GET', `/api/recordings/${recording.id}/markers`);
      assert.match(JSON.stringify(markers), /Harbour/);
      const notes = await trial.client.json('GET', `/api/recordings/${recording.id}/notes`);
      assert.match(JSON.stringify(notes), /Ask for the letter/);
      assert.deepEqual(await problemsOf(trial), []);
    },
    { signedOut: true },
  );

  journey(
    'finds a take after a kill, and claims it',
    async (trial) => {
      await trial.press('Record');
      await trial.untilClock(4000);
      const stood = await trial.capturedAt();
      const capturedMs = stood(await trial.engine.kill());
      await trial.open();
      await trial.untilText('is safe');
      await trial.signInAndClaim();
      const { recording } = await trial.account({ capturedMs });
      assert.ok(recording.durationMs > 2500, 'the take before the kill');
    },
    { signedOut: true },
  );

  journey('shares a running take, which another browser hears', async (trial) => {
    await trial.press('Record');
    await trial.untilClock(2000);
    const [running] = await listOf(trial);
    const { url } = (await trial.client.json('POST', `/api/recordings/${running?.id ?? ''}/shares`, {
      body: { id: newId(), live: { delayMs: 0, isHeldAfterStop: false } },
    })) as { url: string };
    const listener = await trial.openAnother();
    if (typeof listener === 'string') throw new Error(listener);
    const ear = trial.sound.listen('speaker');
    try {
      await listener.goTo(url);
      await until(() => listener.press('Play recording').then(() => true), 'the player of the link', 30_000);
      const pieces = await heardPieces(ear, 3000);
      assert.ok(firstHeardMs(pieces) > 0, 'the signal of the take');
    } finally {
      ear.close();
      await listener.close();
    }
    await trial.press('Stop');
    await trial.untilText('saved on the server');
  });

  journey('imports mp3, m4a, wav, ogg and mp4, and plays each from the chosen place', async (trial) => {
    const off: Record<string, number> = {};
    for (const extension of Object.keys(importFormats)) {
      const id = await importFile(trial, extension);
      const ear = trial.sound.listen('speaker');
      off[extension] = Math.round((await firstHeardAt(trial, { id, ear })) - placeMs);
      ear.close();
      await trial.press('Pause');
    }
    console.log(`${engine}: heard after the chosen place, ms: ${JSON.stringify(off)}`);
    assert.ok(
      Object.entries(off).every(([extension, offMs]) => offMs > -250 && offMs < maxLateMs(engine, extension)),
      'each is heard at the chosen place',
    );
  });

  journey('reloads, records and comes back while the server is unavailable', async (trial) => {
    await trial.engine.evaluate('await navigator.serviceWorker.ready; return null;');
    await trial.engine.goTo(`${trial.url}/`);
    await trial.server.end('SIGKILL');
    await trial.engine.goTo(`${trial.url}/`);
    await trial.press('Record');
    await trial.untilClock(2500);
    const stoppedAtMs = Date.now();
    await trial.press('Stop');
    await trial.untilText('Record another');
    await trial.server.start();
    const { recording } = await trial.account({ stoppedAtMs });
    assert.ok(recording.durationMs > 2000, 'the take without a server');
  });

  journey('fits 390 pixels during a take', async (trial) => {
    await trial.engine.resize(390, 844);
    await trial.press('Record');
    await trial.untilClock(500);
    const width = (await trial.engine.evaluate(
      'return [innerWidth, document.documentElement.scrollWidth];',
    )) as [number, number];
    assert.ok(width[1] <= width[0], 'no scrolling sideways');
    assert.ok(width[0] <= 500, 'a narrow page');
    await trial.press('Stop');
    await trial.untilTrue(`!(${hasStop})`, 'the end of the take');
  });
});
