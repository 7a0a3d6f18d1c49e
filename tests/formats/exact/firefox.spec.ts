import { freePort } from '#scripts/free-port.ts';
import { limits } from '#contract/limits.ts';
import { expect, test } from '#tests/e2e/earshot-test.ts';
import { readCodes } from '#tests/faults/signal/read-codes.ts';
import { type Engine, openFirefox } from '#tests/faults/world/engines.ts';
import { until } from '#tests/faults/world/take.ts';
import { storeTake } from '#tests/support/long-recording.ts';
import { appHeaders, sendRaw } from '#tests/support/raw-http.ts';
import { asOggOpus, encodeMaterial, isWithinBlock, opus, timeHeard } from './long-signal.ts';
import { heardRateHz } from './sounding-page.ts';

const hour = 3_600_000;
const furthestMs = 50;
const user = { email: 'firefox@example.org', password: 'a quiet harbour at dusk 7' };

/** Routes the page's own player through an analyser that holds four seconds. */
const ear = `
  const Native = Audio;
  globalThis.Audio = class extends Native {
    constructor(source) {
      super(source);
      const context = new AudioContext({ sampleRate: ${heardRateHz} });
      const analyser = new AnalyserNode(context, { fftSize: 32768 });
      context.createMediaElementSource(this).connect(analyser).connect(context.destination);
      const samples = new Float32Array(32768);
      globalThis.ear = { element: this, last() { analyser.getFloatTimeDomainData(samples); return samples; } };
    }
  };`;

/** The position of the page's player in milliseconds of the recording. */
const position = `Number(new URL(ear.element.src, location.href).searchParams.get('section') ?? 0) * ${limits.audioSectionMs} + ear.element.currentTime * 1000`;

async function numberOf(firefox: Engine, expression: string): Promise<number> {
  return Number(await firefox.evaluate(`return ${expression};`));
}

/** Seeks by the URL's fragment and plays. Returns the time of the first audio. */
async function heardAt(firefox: Engine, atMs: number): Promise<number | null> {
  await firefox.evaluate(`location.hash = '#t=${atMs / 1000}';`);
  await until(
    async () => Math.abs((await numberOf(firefox, position)) - atMs) < 1 || null,
    `the place ${atMs}`,
    60_000,
  );
  await until(
    () =>
      firefox.press('Play').then(
        () => true,
        () => null,
      ),
    'the Play button',
    10_000,
  );
  await until(
    async () => (await numberOf(firefox, position)) > atMs + 2100 || null,
    'two seconds of sound',
    30_000,
  );
  const heard = await firefox.evaluate(
    'return Array.from(ear.last(), (value) => Math.round(value * 32767));',
  );
  await firefox.press('Pause');
  await until(
    async () =>
      (await firefox.evaluate(
        `return ear.last().subarray(-${heardRateHz / 2}).every((value) => value === 0);`,
      )) === true || null,
    'silence',
    15_000,
  );
  if (!Array.isArray(heard)) throw new TypeError('no samples');
  const samples = heard.map(Number);
  const silence = heardRateHz / 10;
  let onset = samples.length;
  for (let quiet = 0; onset > 0 && quiet < silence; onset -= 1)
    quiet = samples[onset - 1] === 0 ? quiet + 1 : 0;
  return timeHeard(
    readCodes(
      Float32Array.from(samples.slice(onset + silence), (value) => value / 32_767),
      heardRateHz,
    ),
    opus,
  );
}

test('Firefox plays the requested position anywhere in a take of almost a day', async ({ server }) => {
  const firefox = await openFirefox(await freePort());
  if (typeof firefox === 'string') {
    test.skip(true, firefox);
    return;
  }
  try {
    const body = JSON.stringify(user);
    const signedUp = await sendRaw(server.url, {
      method: 'POST',
      path: '/auth/signup',
      headers: { ...appHeaders, 'content-type': 'application/json' },
      body,
    });
    const cookie = String(signedUp.headers['set-cookie']).split(';')[0] ?? '';
    const durationMs = 23.5 * hour;
    const audio = asOggOpus(await encodeMaterial(opus), durationMs);
    const id = await storeTake(server.url, cookie, {
      title: 'Almost a day',
      audio,
      peaks: Buffer.alloc(durationMs / 5, 40),
      durationMs,
    });
    await firefox.prepare?.(ear);
    await firefox.goTo(server.url);
    await firefox.evaluate(
      `await fetch('/auth/login', { method: 'POST', headers: { 'content-type': 'application/json', 'x-requested-with': 'earshot' }, body: ${JSON.stringify(body)} });`,
    );
    await firefox.goTo(`${server.url}/recordings/${id}`);
    await until(
      () => firefox.evaluate("return document.querySelector('[role=slider]') !== null || null;"),
      'the player',
      60_000,
    );
    const found: { atMs: number; offMs: number | null }[] = [];
    // Two positions are after 12:25:39, the last sample that Firefox can count in one Ogg stream; one is on either
    // side of the section's end.
    for (const atMs of [
      60_000,
      11.2 * hour,
      12 * hour - 5000,
      12 * hour + 5000,
      12.5 * hour,
      17 * hour,
      durationMs - 6000,
    ]) {
      expect(isWithinBlock(atMs)).toBe(true);
      const heardMs = await heardAt(firefox, atMs);
      found.push({ atMs, offMs: heardMs === null ? null : Math.round(heardMs - atMs) });
    }
    console.log(`off by, ms: ${found.map(({ offMs }) => offMs).join(' ')}`);
    expect(found.filter(({ offMs }) => offMs === null || Math.abs(offMs) > furthestMs)).toEqual([]);
    await firefox.evaluate(`location.hash = '#t=${(12 * hour - 3000) / 1000}';`);
    await until(
      async () => Math.abs((await numberOf(firefox, position)) - (12 * hour - 3000)) < 1 || null,
      'the end of the section',
      30_000,
    );
    await until(
      () =>
        firefox.press('Play').then(
          () => true,
          () => null,
        ),
      'the Play button',
      10_000,
    );
    await until(
      async () => (await numberOf(firefox, position)) > 12 * hour + 2000 || null,
      'the next section',
      30_000,
    );
  } finally {
    await firefox.close();
  }
});
