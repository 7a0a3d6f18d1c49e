import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';
import type { SpeechModel } from '#server/transcribers/transcriber.ts';

const folder = new URL('../fixtures/toy-whisper/', import.meta.url);

/** A file of the toy model (tests/fixtures/toy-whisper/make_toy_whisper.py). */
export const toyFile = (name: 'encoder' | 'decoder' | 'decoder-without-attention'): Uint8Array =>
  gunzipSync(readFileSync(new URL(`${name}.onnx.gz`, folder)));

/** What the toy model says about any sound. */
const toyTokens = [' the', ' quick', ' brown', ' fox', ' jumps', '.'];

/**
 * Writes a Whisper that says the same six tokens about any sound, in files of the real format.
 * @param options.tokens what it says: six texts, or bytes where a token ends within a character
 */
export function toyWhisper({
  tokens = toyTokens,
  decoder = toyFile('decoder'),
}: { tokens?: readonly (string | Uint8Array)[]; decoder?: Uint8Array } = {}): SpeechModel {
  const directory = mkdtempSync(join(tmpdir(), 'earshot-toy-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const write = (name: string, content: Uint8Array | string): string => {
    const path = join(directory, name);
    writeFileSync(path, content);
    return path;
  };
  const lines = tokens.map((token, index) => `${Buffer.from(token as string).toString('base64')} ${index}\n`);
  return {
    name: 'toy',
    kind: 'whisper',
    files: {
      encoder: write('encoder.onnx', toyFile('encoder')),
      decoder: write('decoder.onnx', decoder),
      joiner: null,
      tokens: write('tokens.txt', lines.join('')),
    },
    memoryBytes: 1024 ** 3,
  };
}
