import { ChunkCutter, type CutChunk } from '#audio/speech/chunk-cutter.ts';
import { samplesPerMs, speechRateHz } from '#audio/speech/point-levels.ts';
import { detectorWindow, firstSampleOf } from './first-sample.ts';
import type { ListenTask } from './messages.ts';
import { decodeOgg, type PlacedSamples } from './ogg-sound.ts';
import type { Sherpa } from './sherpa.ts';
import { SpeechDetector } from './speech-detector.ts';
import { sampleBlocks, continuous, pcmSamples } from './speech-sound.ts';

/** Reads a segment's sound. */
export interface SoundReader {
  read(startByte: number, endByteExclusive: number): Promise<Uint8Array>;
  /** The next piece of PCM; empty at the end. */
  pcm(): Promise<Uint8Array>;
}

/** Chunks are looked for this often. */
const cutEvery = speechRateHz;

function soundOf(task: ListenTask, reader: SoundReader, from: number): AsyncIterable<PlacedSamples> {
  return task.kind === 'ogg'
    ? decodeOgg((start, end) => reader.read(start, end), task.sizeBytes, from)
    : pcmSamples(() => reader.pcm(), from);
}

/** Cuts a segment's sound into chunks, in order. */
export async function* cutChunks(
  task: ListenTask,
  reader: SoundReader,
  sherpa: Sherpa,
): AsyncGenerator<CutChunk> {
  const sampleAt = (ms: number): number => Math.max(0, ms - task.startMs) * samplesPerMs;
  const firstSample = firstSampleOf(task);
  const to = sampleAt(task.toMs);
  const from = sampleAt(task.fromMs);
  const cutter = new ChunkCutter({ firstSample, from, to, cuts: task.cutsMs.map(sampleAt) });
  const detector = task.hearsAll ? null : new SpeechDetector(sherpa, cutter, firstSample);
  if (detector === null) cutter.setOpenSpeech(from);
  const stream = continuous(soundOf(task, reader, firstSample), { from: firstSample, to });
  let pushed = 0;
  for await (const block of sampleBlocks(stream, detectorWindow)) {
    cutter.push(block);
    detector?.accept(block);
    pushed += block.length;
    if (pushed < cutEvery) continue;
    pushed = 0;
    for (let chunk = cutter.next(); chunk !== null; chunk = cutter.next()) yield chunk;
  }
  detector?.flush();
  cutter.end();
  for (let chunk = cutter.next(); chunk !== null; chunk = cutter.next()) yield chunk;
}
