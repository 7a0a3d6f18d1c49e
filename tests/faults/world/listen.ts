import { spawn } from 'node:child_process';
import { mkdirSync, existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { codeCount, synthesize, writeWav } from '#tests/faults/signal/coded-signal.ts';

/** The sample rate for decoding, above twice the highest tone. */
export const heardRateHz = 8000;

/** Decodes served audio to mono PCM with an independent decoder. */
export async function decode(bytes: Uint8Array, rateHz = heardRateHz): Promise<Float32Array> {
  const ffmpeg = spawn(
    'ffmpeg',
    ['-v', 'error', '-i', 'pipe:0', '-f', 's16le', '-ac', '1', '-ar', String(rateHz), 'pipe:1'],
    { stdio: ['pipe', 'pipe', 'pipe'] },
  );
  const chunks: Buffer[] = [];
  let errors = '';
  ffmpeg.stdout.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
  });
  ffmpeg.stderr.on('data', (chunk: Buffer) => {
    errors += String(chunk);
  });
  ffmpeg.stdin.on('error', () => undefined);
  ffmpeg.stdin.end(bytes);
  const code = await new Promise<number | null>((resolve) => {
    ffmpeg.once('close', resolve);
  });
  if (code !== 0) throw new Error(`ffmpeg could not decode ${bytes.length} bytes: ${errors}`);
  const pcm = Buffer.concat(chunks);
  const samples = new Float32Array(Math.floor(pcm.length / 2));
  for (let i = 0; i < samples.length; i += 1) samples[i] = pcm.readInt16LE(i * 2) / 32_768;
  return samples;
}

/** The file with ten minutes of coded signal, created once. */
export function signalFile(): string {
  const file = join(import.meta.dirname, '..', '..', '..', '.cache', 'coded-signal.wav');
  if (existsSync(file)) return file;
  mkdirSync(join(file, '..'), { recursive: true });
  writeWav(`${file}.${process.pid}`, synthesize(0, codeCount));
  renameSync(`${file}.${process.pid}`, file);
  return file;
}
