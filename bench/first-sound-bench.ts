import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { recorderFormats, timesliceMs } from '#web/features/recorder/capture/media-recorder-source.ts';
import { finished } from '#tests/faults/world/take.ts';
import { readCodes } from '#tests/faults/signal/read-codes.ts';
import {
  engineNames,
  withEngineTrial,
  type EngineName,
  type EngineTrial,
  type EngineTrialOptions,
} from '#tests/faults/world/engine-trial.ts';
import { decode, heardRateHz } from '#tests/faults/world/listen.ts';
import { playedBytes } from '#tests/support/api-client.ts';
import { percentile, round, type Section } from './figures.ts';

const runs = Number(process.env.BENCH_RUNS ?? 5);
const takeMs = 4000;
/** `WebKitGTK`, for example, to measure one engine alone. */
const only = process.env.BENCH_ENGINE;

/** Records with MediaRecorder alone, in the format of the app, and returns the file in base64. */
const recordAlone = `
  const stream = await navigator.mediaDevices.getUserMedia({
    audio: { echoCancellation: false, noiseSuppression: false, autoGainControl: false },
  });
  const mimeType = ${JSON.stringify(recorderFormats.map(({ mimeType }) => mimeType))}
    .find((type) => MediaRecorder.isTypeSupported(type));
  const recorder = new MediaRecorder(stream, { mimeType });
  const pieces = [];
  recorder.addEventListener('dataavailable', ({ data }) => { pieces.push(data); });
  const ended = new Promise((resolve) => recorder.addEventListener('stop', resolve));
  recorder.start(${timesliceMs});
  await new Promise((resolve) => setTimeout(resolve, ${takeMs}));
  recorder.stop();
  await ended;
  for (const track of stream.getTracks()) track.stop();
  const url = await new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.readAsDataURL(new Blob(pieces));
  });
  return url.slice(url.indexOf(',') + 1);`;

/** Returns how long after the microphone was handed over the recording's sound begins, in ms; null if unreadable. */
async function firstSoundMs(trial: EngineTrial, file: Uint8Array): Promise<number | null> {
  if (file.length === 0) return null;
  const [first] = readCodes(await decode(file), heardRateHz);
  const microphoneAtMs = Number(await trial.engine.evaluate('return microphoneAtMs;'));
  return first === undefined ? null : first.offsetMs - trial.signalAt(microphoneAtMs);
}

/** Records in an empty page, which only localhost needs to be. */
async function inEmptyPage(trial: EngineTrial): Promise<number | null> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Empty</title>');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  try {
    await trial.engine.goTo(`http://localhost:${(server.address() as AddressInfo).port}/`);
    const file = Buffer.from(String(await trial.engine.evaluate(recordAlone)), 'base64');
    return await firstSoundMs(trial, file);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

async function inEarshot(trial: EngineTrial): Promise<number | null> {
  await trial.press('Record');
  await trial.untilClock(takeMs);
  await trial.press('Stop');
  const { id } = await finished(trial, 60_000);
  return firstSoundMs(trial, await playedBytes(trial.client, id));
}

interface Way {
  name: string;
  options: Omit<EngineTrialOptions, 'engine'>;
  measure: (trial: EngineTrial) => Promise<number | null>;
}

const ways: readonly Way[] = [
  { name: 'an empty page with MediaRecorder', options: {}, measure: inEmptyPage },
  {
    name: "Earshot, browser's own recorder",
    options: { recording: 'own recorder', outputStartMs: null },
    measure: inEarshot,
  },
  { name: 'Earshot, PCM', options: {}, measure: inEarshot },
];

async function row(engine: EngineName, { name, options, measure }: Way) {
  const measured: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const ms = await withEngineTrial(run, { engine, ...options }, measure);
    if (typeof ms === 'string') return null;
    if (ms !== null) measured.push(ms);
  }
  const shown = (share: number) => (measured.length === 0 ? '–' : round(percentile(measured, share), 0));
  return {
    engine,
    'recorded by': name,
    runs,
    readable: measured.length,
    'median ms': shown(0.5),
    'worst ms': shown(1),
  };
}

/** Measures in each engine when the first recorded sound was made, counted from the open microphone. */
export async function firstSoundBench(): Promise<Section> {
  const rows = [];
  for (const engine of engineNames.filter((name) => only === undefined || name === only))
    for (const way of ways) rows.push(await row(engine, way));
  return {
    title: 'First recorded sound after the browser has handed over the microphone',
    note: 'Goal: at most 300 ms. The empty page is what the engine itself needs. Negative: the browser had sound from before.',
    rows: rows.filter((each) => each !== null),
  };
}
