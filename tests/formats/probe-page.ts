import { ALL_FORMATS, BlobSource, Input } from 'mediabunny';
import { decodePeaks } from '#workers/import/decode-peaks.ts';
import { loudnessOf } from './loudness-of.ts';
import type { Heard, Played, ReadFile } from './results.ts';
import { signal } from './signal-shape.ts';

const timeoutMs = 8000;
const fftSize = 4096;

/** Resolves on the event. Rejects on a timeout or on the element's error. */
function event(audio: HTMLAudioElement, name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error(`no ${name}`));
    }, timeoutMs);
    audio.addEventListener(
      name,
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
    audio.addEventListener(
      'error',
      () => {
        clearTimeout(timer);
        reject(new Error(audio.error?.message || 'rejected'));
      },
      { once: true },
    );
  });
}

const rest = (ms: number) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** The loudest tone in Hz, interpolated between the spectrum's bins; null in silence. */
function toneOf(analyser: AnalyserNode): number | null {
  const spectrum = new Float32Array(analyser.frequencyBinCount);
  analyser.getFloatFrequencyData(spectrum);
  const stepHz = analyser.context.sampleRate / fftSize;
  let best = Math.ceil(300 / stepHz);
  for (let bin = best; bin < 3000 / stepHz; bin += 1)
    if ((spectrum[bin] ?? -200) > (spectrum[best] ?? -200)) best = bin;
  const [left = 0, middle = -200, right = 0] = spectrum.subarray(best - 1, best + 2);
  return middle < -70 ? null : (best + (left - right) / (2 * (left - 2 * middle + right))) * stepHz;
}

/** The signal is periodic: returns the difference to the nearest moment that sounds alike. */
const withinPeriod = (seconds: number): number =>
  seconds - signal.periodSeconds * Math.round(seconds / signal.periodSeconds);

/** The seconds by which the audio is ahead of the element's position: the median of several measurements. */
async function ahead(audio: HTMLAudioElement, analyser: AnalyserNode): Promise<number | null> {
  const looks: number[] = [];
  for (let look = 0; look < 9; look += 1) {
    await rest(30);
    const tone = toneOf(analyser);
    if (tone !== null)
      looks.push(withinPeriod((tone - signal.firstHz) / signal.hzPerSecond - audio.currentTime));
  }
  return looks.sort((a, b) => a - b)[Math.floor(looks.length / 2)] ?? null;
}

/** Plays until there has been audio for a moment, then compares it with the element's position. */
async function listen(audio: HTMLAudioElement, analyser: AnalyserNode): Promise<number | null> {
  const from = audio.currentTime;
  const startedMs = performance.now();
  while (audio.currentTime < from + 0.35) {
    if (performance.now() - startedMs > timeoutMs) throw new Error('playback does not advance');
    await rest(20);
  }
  return ahead(audio, analyser);
}

let shared: AudioContext | null = null;

async function hear(audio: HTMLAudioElement, wantedSeconds: number): Promise<Heard> {
  shared ??= new AudioContext();
  const analyser = new AnalyserNode(shared, { fftSize, smoothingTimeConstant: 0 });
  shared
    .createMediaElementSource(audio)
    .connect(analyser)
    .connect(new GainNode(shared, { gain: 0 }))
    .connect(shared.destination);
  await shared.resume();
  await audio.play();
  const atStart = await listen(audio, analyser);
  const sought = event(audio, 'seeked');
  audio.currentTime = wantedSeconds;
  await sought;
  if (Math.abs(audio.currentTime - wantedSeconds) > 1)
    throw new Error(`a seek to ${wantedSeconds} s ends at ${audio.currentTime.toFixed(1)} s`);
  const afterSeek = await listen(audio, analyser);
  audio.pause();
  analyser.disconnect();
  return { atStart, afterSeek };
}

/**
 * Plays a file of the signal in an `audio` element. Returns its length, and the audio's offset after a seek to 70
 * % of the file.
 */
async function play(url: string, seconds: number): Promise<Played> {
  const audio = new Audio();
  try {
    const known = event(audio, 'loadedmetadata');
    audio.src = url;
    await known;
    const durationSeconds = audio.duration;
    const heard = await hear(audio, 0.7 * seconds);
    // Some browsers learn the real length only while reading on.
    return { ok: true, durationSeconds, laterSeconds: audio.duration, ...heard };
  } catch (error) {
    return { ok: false, why: error instanceof Error ? error.message : String(error) };
  } finally {
    audio.removeAttribute('src');
    audio.load();
  }
}

/** Reads a file as the import does: with mediabunny, and its peaks computed by the import's own code. */
async function read(url: string): Promise<ReadFile> {
  const file = await (await fetch(url)).blob();
  const input = new Input({ formats: ALL_FORMATS, source: new BlobSource(file) });
  try {
    const container = (await input.getFormat()).name;
    const track = await input.getPrimaryAudioTrack();
    if (!track) return { ok: false, why: 'no audio track' };
    // The timestamps of a transport stream may start anywhere.
    const firstSeconds = Math.max(0, await track.getFirstTimestamp());
    const facts = {
      container,
      codec: await track.getCodec(),
      sampleRateHz: await track.getSampleRate(),
      channels: await track.getNumberOfChannels(),
      durationSeconds: (await track.computeDuration()) - firstSeconds,
    };
    const points = await decodePeaks(file);
    return {
      ok: true,
      ...facts,
      peaks: points && loudnessOf(new Int8Array(points.buffer, points.byteOffset, points.length)),
    };
  } catch (error) {
    return { ok: false, why: error instanceof Error ? error.message : String(error) };
  } finally {
    input.dispose();
  }
}

Object.assign(globalThis, { formats: { play, read } });
