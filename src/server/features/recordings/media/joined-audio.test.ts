import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { append, apiOnSqlite, startTake, complete, openUpload } from '#tests/support/api-under-test.ts';
import { newId } from '#tests/support/factories.ts';

const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0;
const rateHz = 48_000;

/** A tone as Ogg/Opus by another encoder than ours, with other page lengths and pre-skip. */
const toneOf = (options: { hz: number; seconds: number; channels: number; inputRateHz: number }): Buffer =>
  execFileSync('ffmpeg', [
    '-v',
    'error',
    '-f',
    'lavfi',
    '-i',
    `sine=frequency=${options.hz}:duration=${options.seconds}:sample_rate=${options.inputRateHz}`,
    '-ac',
    String(options.channels),
    '-c:a',
    'libopus',
    '-page_duration',
    '200000',
    '-f',
    'ogg',
    'pipe:1',
  ]);

function decode(ogg: Buffer, fromSeconds = 0): Float32Array {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-joined-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const path = join(folder, 'joined.opus');
  writeFileSync(path, ogg);
  const pcm = execFileSync(
    'ffmpeg',
    [
      '-v',
      'error',
      '-ss',
      String(fromSeconds),
      '-i',
      path,
      '-ac',
      '1',
      '-ar',
      String(rateHz),
      '-f',
      'f32le',
      'pipe:1',
    ],
    { maxBuffer: 1e9 },
  );
  return new Float32Array(pcm.buffer.slice(pcm.byteOffset, pcm.byteOffset + pcm.byteLength));
}

/** The strength of one frequency in a range of sound (Goertzel). */
function strength(pcm: Float32Array, hz: number, atSeconds: number): number {
  const length = rateHz / 10;
  const turn = 2 * Math.cos((2 * Math.PI * hz) / rateHz);
  let [before, now] = [0, 0];
  for (const sample of pcm.subarray(Math.round(atSeconds * rateHz), Math.round(atSeconds * rateHz) + length))
    [before, now] = [now, sample + turn * now - before];
  return Math.sqrt(Math.max(0, before * before + now * now - turn * before * now)) / length;
}

describe.skipIf(!hasFfmpeg)('several segments, decoded by another program,', () => {
  const record = async () => {
    const api = await apiOnSqlite();
    const user = await api.signIn();
    const take = await startTake(api, user);
    const tones = [
      { hz: 440, startMs: 0, seconds: 2, channels: 1, inputRateHz: 48_000 },
      { hz: 1200, startMs: 3500, seconds: 1.5, channels: 2, inputRateHz: 48_000 },
      { hz: 2500, startMs: 6001, seconds: 2.25, channels: 1, inputRateHz: 44_100 },
    ];
    for (const [segmentIndex, tone] of tones.entries()) {
      const uploadId = segmentIndex === 0 ? take.audioId : newId();
      if (segmentIndex > 0)
        await openUpload(api, take, { uploadId, stream: 'audio', segmentIndex, startMs: tone.startMs });
      const bytes = toneOf(tone);
      await append(api, take, { uploadId, offset: 0, bytes });
      await complete(api, take, { uploadId, bytes });
    }
    await api.app.inject({
      method: 'POST',
      url: `/api/recordings/${take.recordingId}/finish`,
      headers: take.bearer,
      payload: { durationMs: 8251, segmentCount: 3, gaps: [], pauses: [] },
    });
    await api.runJobs();
    const { rawPayload } = await api.as(user, { url: `/api/recordings/${take.recordingId}/audio` });
    return { tones, ogg: rawPayload };
  };

  let recorded: ReturnType<typeof record> | null = null;
  /** The same recording for all tests, which only read it. */
  const recording = () => (recorded ??= record());

  test('have the right duration, each tone at its time, and silence between them', async () => {
    const { tones, ogg } = await recording();
    const pcm = decode(ogg);
    expect(Math.abs(pcm.length / rateHz - 8.251)).toBeLessThan(0.05);
    for (const { hz, startMs, seconds } of tones) {
      for (const at of [startMs / 1000 + 0.03, startMs / 1000 + seconds - 0.13])
        expect(strength(pcm, hz, at)).toBeGreaterThan(0.02);
      expect(strength(pcm, hz, startMs / 1000 - 0.15)).toBeLessThan(0.002);
    }
    for (const at of [2.2, 3.2, 5.2, 5.8])
      expect(Math.max(...pcm.subarray(at * rateHz, (at + 0.1) * rateHz).map(Math.abs))).toBeLessThan(0.002);
  });

  test.for([1.5, 2.9, 4.1, 6.5, 7.9])('decode completely after a seek to %d s', async (at) => {
    const { ogg } = await recording();
    const pcm = decode(ogg, at);
    expect(Math.abs(pcm.length / rateHz - (8.251 - at))).toBeLessThan(0.1);
  });

  test('cause no decoder warnings', async () => {
    const { ogg } = await recording();
    const { stderr } = spawnSync('ffmpeg', ['-v', 'warning', '-i', 'pipe:0', '-f', 'null', '-'], {
      input: ogg,
    });
    expect(stderr.toString()).toBe('');
  });
});
