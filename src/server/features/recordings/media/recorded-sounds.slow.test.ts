import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { SegmentSound, Transcriber } from '#server/transcribers/transcriber.ts';
import { apiOnSqlite } from '#tests/support/api-under-test.ts';
import { importFile } from '#tests/support/import-file.ts';

const fixture = (name: string): Buffer =>
  readFileSync(join(import.meta.dirname, '../../../../../tests/fixtures', name));

/** The root mean square of 16-bit samples, by tenths of a second. */
function levelsOf(pcm: Buffer): number[] {
  const samples = new Int16Array(pcm.buffer, pcm.byteOffset, Math.floor(pcm.length / 2));
  const levels: number[] = [];
  for (let at = 0; at + 1600 <= samples.length; at += 1600)
    levels.push(
      Math.sqrt(samples.subarray(at, at + 1600).reduce((sum, value) => sum + value * value, 0) / 1600),
    );
  return levels;
}

/** Hears nothing, and keeps the sound that it was given. */
class SoundCatcher implements Transcriber {
  readonly address = 'https://stt.example';
  sound: SegmentSound | null = null;
  isInstalled(): boolean {
    return true;
  }
  async transcribe(sound: SegmentSound): Promise<void> {
    this.sound = sound;
  }
  async close(): Promise<void> {}
}

async function soundOf(name: string): Promise<SegmentSound> {
  const transcriber = new SoundCatcher();
  const api = await apiOnSqlite(undefined, { transcriber });
  const user = await api.signIn();
  const { recording } = await importFile(api, user, { name, bytes: fixture(name) });
  const started = await api.as(user, {
    method: 'POST',
    url: `/api/recordings/${recording.id}/transcript`,
    payload: { language: 'en', agreesToAddress: transcriber.address },
  });
  expect(started.statusCode).toBe(202);
  await api.runJobs();
  if (transcriber.sound === null) throw new Error('nothing was transcribed');
  return transcriber.sound;
}

async function pcmOf({ audio }: SegmentSound, fromMs: number): Promise<Buffer> {
  if (audio.kind !== 'pcm') throw new Error('the sound is a file');
  const pieces: Uint8Array[] = [];
  for await (const piece of audio.open(fromMs, new AbortController().signal)) pieces.push(piece);
  return Buffer.concat(pieces);
}

test.skipIf(spawnSync('ffmpeg', ['-version']).status !== 0)(
  'the sound of an imported WAV is decoded from any moment, at its place',
  async () => {
    const sound = await soundOf('jfk-1961.wav');
    const whole = await pcmOf(sound, 0);
    expect(Math.abs(whole.length / 32 - (sound.toMs - sound.startMs))).toBeLessThan(20);
    const later = await pcmOf(sound, 4300);
    expect(Math.abs(whole.length - later.length - 4300 * 32)).toBeLessThanOrEqual(2 * 32);
    const [all, rest] = [levelsOf(whole).slice(43), levelsOf(later)];
    for (const [index, level] of rest.entries())
      expect(Math.abs(level - (all[index] ?? 0))).toBeLessThan(20 + 0.05 * level);
  },
);
