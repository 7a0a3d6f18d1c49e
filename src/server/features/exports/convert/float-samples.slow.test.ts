import { expect, test } from 'vitest';
import { apiOnSqlite } from '#tests/support/api-under-test.ts';
import { importFile } from '#tests/support/import-file.ts';
import { ffmpegFile } from '#tests/support/media/ffmpeg-files.ts';
import { peaksOfChannels } from '#tests/support/media/peaks-of-channels.ts';
import { hasFfmpeg } from '#tests/support/sample-files.ts';

/** Three seconds of a tone in a file of floating-point samples, one of which in a hundred is no number at 1 s. */
function withoutNumbers(codec: 'pcm_f32le' | 'pcm_f64le', channels: 1 | 2): Buffer {
  const tone = Array.from({ length: channels }, () => '0.5*sin(2*PI*440*t)').join('|');
  const wav = ffmpegFile('a.wav', ['-f', 'lavfi', '-i', `aevalsrc='${tone}':s=48000:d=3`, '-c:a', codec]);
  const sampleBytes = codec === 'pcm_f32le' ? 4 : 8;
  const secondAt = wav.indexOf('data') + 8 + 48_000 * channels * sampleBytes;
  const values = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const [index, value] of values.entries())
    for (let sample = 0; sample < 5000; sample += 100) {
      const at = secondAt + (sample + index) * sampleBytes;
      if (sampleBytes === 4) wav.writeFloatLE(value, at);
      else wav.writeDoubleLE(value, at);
    }
  return wav;
}

test.skipIf(!hasFfmpeg)('F8: samples that are no numbers are silence in every conversion', async () => {
  const api = await apiOnSqlite();
  const user = await api.signIn();
  for (const [codec, channels, formats] of [
    ['pcm_f32le', 1, ['mp3', 'm4a', 'opus', 'flac', 'wav']],
    ['pcm_f64le', 2, ['mp3', 'wav']],
  ] as const) {
    const bytes = withoutNumbers(codec, channels);
    const { recording } = await importFile(api, user, { name: 'a.wav', bytes });
    const url = `/api/recordings/${recording.id}`;
    for (const format of formats) {
      const { statusCode, rawPayload } = await api.as(user, { url: `${url}/download?format=${format}` });
      expect([codec, format, statusCode]).toEqual([codec, format, 200]);
      for (const peak of peaksOfChannels(rawPayload)) {
        expect(peak).toBeGreaterThan(0.4);
        expect(peak).toBeLessThan(0.75);
      }
    }
    const original = await api.as(user, { url: `${url}/original` });
    expect(Buffer.compare(original.rawPayload, bytes)).toBe(0);
  }
});
