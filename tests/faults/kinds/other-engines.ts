import { missingMsOf } from '#contract/gap-summary.ts';
import { ApiClient } from '#tests/support/api-client.ts';
import type { RecordingDetails, RecordingPage } from '#contract/recordings.ts';
import { freePort } from '#scripts/free-port.ts';
import { EarshotServer } from '#tests/support/earshot-server.ts';
import { openFirefox, openWebKit, type Engine } from '#tests/faults/world/engines.ts';
import { decode, heardRateHz } from '#tests/faults/world/listen.ts';
import { Random } from '#tests/faults/world/random.ts';
import { until } from '#tests/faults/world/take.ts';
import type { FaultKind, Outcome } from './outcome.ts';

/** The captured time on the screen's clock, in ms. Slow starts in a busy engine are not counted as lost audio. */
const readClock = `
  const text = document.querySelector('[role=timer]')?.textContent.replace(/[^\\d:.]/g, '') ?? '0';
  return text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0) * 1000;`;

const signIn = (user: unknown) => `
  const reply = await fetch('/auth/login', { method: 'POST', headers: { 'content-type': 'application/json', 'x-requested-with': 'earshot' }, body: JSON.stringify(${JSON.stringify(user)}) });
  if (!reply.ok) throw new Error(await reply.text());`;

const play = (id: string) => `
  const audio = new Audio('/api/recordings/${id}/audio');
  audio.muted = true;
  document.body.append(audio);
  await audio.play();
  const endMs = Date.now() + 20000;
  while (audio.currentTime < 0.5 && Date.now() < endMs) await new Promise((resolve) => setTimeout(resolve, 100));
  return audio.currentTime;`;

/** How many milliseconds of the audio are not silent, in steps of 100 ms. */
function soundingMs(samples: Float32Array): number {
  const step = heardRateHz / 10;
  let sounding = 0;
  for (let from = 0; from + step <= samples.length; from += step) {
    const rms = Math.sqrt(
      samples.subarray(from, from + step).reduce((sum, sample) => sum + sample * sample, 0) / step,
    );
    if (rms > 0.002) sounding += 100;
  }
  return sounding;
}

async function recordAndPlay(engine: Engine, client: ApiClient, aimMs: number): Promise<Partial<Outcome>> {
  await until(async () => engine.press('Record').then(() => true), 'a Record button', 20_000);
  await until(
    async () =>
      (await engine.evaluate(
        `return document.body.innerText.includes('Stop') || [...document.querySelectorAll('button')].some((one) => one.getAttribute('aria-label') === 'Stop')`,
      )) === true || null,
    'a running take',
    20_000,
  );
  const spokenMs = await until(async () => {
    const clockMs = Number(await engine.evaluate(readClock));
    return clockMs >= aimMs ? clockMs : null;
  }, `${aimMs} ms of sound`);
  await engine.press('Stop');
  const id = await until(async () => {
    const {
      items: [only],
    } = (await client.json('GET', '/api/recordings')) as RecordingPage;
    return only?.state === 'ready' ? only.id : null;
  }, 'a finished recording');
  const recording = (await client.json('GET', `/api/recordings/${id}`)) as RecordingDetails;
  const { body } = await client.send({
    method: 'GET',
    path: `/api/recordings/${id}/audio`,
    headers: { cookie: client.cookie, 'sec-fetch-site': 'same-origin' },
  });
  const samples = await decode(body);
  const lengthMs = (samples.length / heardRateHz) * 1000;
  const heardMs = soundingMs(samples);
  const playedSeconds = Number(await engine.evaluate(play(id)));
  const unexplainedMs = Math.max(0, spokenMs - lengthMs);
  const findings = [
    ...(unexplainedMs > 0 ? [`${Math.round(unexplainedMs)} ms of ${spokenMs} ms are missing`] : []),
    ...(heardMs < 300 ? [`only ${heardMs} ms of it sound`] : []),
    ...(recording.segments.every(({ sha256 }) => sha256 !== null) ? [] : ['a segment has no receipt']),
    ...(playedSeconds > 0.4 ? [] : [`played only up to ${playedSeconds} s`]),
  ];
  return {
    capturedMs: spokenMs,
    storedMs: lengthMs,
    namedGapsMs: recording.gaps.reduce((sum, gap) => sum + missingMsOf(gap), 0),
    unexplainedMs,
    worstLossMs: unexplainedMs,
    findings,
    notes: `${heardMs} ms of ${Math.round(lengthMs)} ms sound`,
  };
}

async function inEngine(
  seed: number,
  open: (port: number) => Promise<Engine | string>,
): Promise<Partial<Outcome>> {
  const random = new Random(seed);
  const engine = await open(await freePort());
  if (typeof engine === 'string') return { skipped: engine };
  const server = await EarshotServer.launch();
  const client = new ApiClient(server.url);
  try {
    const user = await client.signUp();
    await engine.goTo(server.url);
    // A newly loaded page may still be replaced by a late navigation.
    await until(async () => engine.evaluate(signIn(user)).then(() => true), 'a session', 20_000);
    await engine.goTo(server.url);
    return await recordAndPlay(engine, client, random.between(3000, 6000));
  } finally {
    client.close();
    await engine.close();
    await server.dispose();
  }
}

const firefox: FaultKind = {
  number: 18,
  name: 'Firefox ESR: record, stop, receipt, play',
  allowedLossMs: 0,
  places: 2,
  run: (seed) => inEngine(seed, openFirefox),
};
const webKit: FaultKind = {
  number: 18,
  name: 'WebKitGTK, no files: record, stop, receipt, play',
  allowedLossMs: 0,
  places: 2,
  needs: 'display',
  run: (seed) => inEngine(seed, openWebKit),
};

export const otherEngineKinds: FaultKind[] = [firefox, webKit];
