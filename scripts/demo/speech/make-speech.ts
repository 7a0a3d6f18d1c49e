// Generates the speech of the demo: `node scripts/demo/speech/make-speech.ts`. Needs espeak-ng and ffmpeg; the
// results are committed.
import '../../node-version.mjs';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type SpeechText, speechTexts } from './speech-texts.ts';

const rateHz = 24_000;
const bytesPerSample = 2;
/** The speaker's pauses, repeated in this order. */
const pausesMs = [700, 1500, 900, 2600, 1100];

/** Synthesises one passage as 16-bit samples, without a header. */
function spoken(directory: string, { voice, wordsPerMinute }: SpeechText, text: string): Buffer {
  const wav = join(directory, 'passage.wav');
  execFileSync('espeak-ng', ['-v', voice, '-s', String(wordsPerMinute), '-w', wav, text]);
  return execFileSync(
    'ffmpeg',
    ['-v', 'error', '-i', wav, '-ac', '1', '-ar', String(rateHz), '-f', 's16le', 'pipe:1'],
    { maxBuffer: 2 ** 28 },
  );
}

function make(speech: SpeechText): void {
  const directory = mkdtempSync(join(tmpdir(), 'earshot-speech-'));
  try {
    const parts: Buffer[] = [];
    const startsMs: number[] = [];
    let atMs = 0;
    for (const [index, { text }] of speech.passages.entries()) {
      const passage = spoken(directory, speech, text);
      const pause = Buffer.alloc(
        Math.round(((pausesMs[index % pausesMs.length] ?? 0) * rateHz) / 1000) * bytesPerSample,
      );
      startsMs.push(Math.round(atMs));
      parts.push(passage, pause);
      atMs += ((passage.length + pause.length) / bytesPerSample / rateHz) * 1000;
    }
    const opus = join(directory, 'speech.opus');
    const encoding = [
      '-c:a',
      'libopus',
      '-b:a',
      '16k',
      '-application',
      'voip',
      '-frame_duration',
      '20',
      '-map_metadata',
      '-1',
    ];
    execFileSync(
      'ffmpeg',
      ['-v', 'error', '-f', 's16le', '-ar', String(rateHz), '-ac', '1', '-i', 'pipe:0', ...encoding, opus],
      { input: Buffer.concat(parts) },
    );
    writeFileSync(new URL(`${speech.name}.opus`, import.meta.url), readFileSync(opus));
    writeFileSync(
      new URL(`${speech.name}.json`, import.meta.url),
      `${JSON.stringify({ startsMs, durationMs: Math.round(atMs) })}\n`,
    );
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

for (const speech of speechTexts) make(speech);
