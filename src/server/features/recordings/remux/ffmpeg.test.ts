import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import { transcodeToOgg } from './ffmpeg.ts';

/** Runs a script in place of ffmpeg, and returns the stored output. */
async function transcodeBy(
  script: string,
  bytes: Readable = Readable.from([Buffer.from('sound')]),
): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'earshot-ffmpeg-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const program = join(directory, 'ffmpeg');
  await writeFile(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const stored: Uint8Array[] = [];
  await transcodeToOgg(
    program,
    {
      input: { kind: 'ogg-stream', bytes },
      track: 0,
      latestMs: null,
      bitrateBps: 64_000,
      maxMs: 1000,
      maxBytes: 1000,
    },
    {
      store: async (piece) => {
        stored.push(piece);
      },
      signal: new AbortController().signal,
    },
  );
  return Buffer.concat(stored).toString();
}

describe('an ffmpeg that exits early', () => {
  test.for(['kill -KILL $$', 'kill -TERM $$', 'kill -INT $$', 'exit 255'])(
    'because it was stopped (%s) rejects, discarding its output',
    async (end) => {
      await expect(transcodeBy(`cat > /dev/null; printf part; ${end}`)).rejects.toThrow('ffmpeg was stopped');
    },
  );

  test.for(['exit 1', 'exit 183', 'kill -SEGV $$'])(
    'because of the file’s contents (%s) stores its output',
    async (end) => {
      expect(await transcodeBy(`cat > /dev/null; printf part; ${end}`)).toBe('part');
    },
  );

  test('because it has read enough stores its output, regardless of the unread rest', async () => {
    const endless = Readable.from(
      (function* bytes() {
        for (;;) yield Buffer.alloc(65_536);
      })(),
    );
    expect(await transcodeBy('head -c 1 > /dev/null; printf part; exit 1', endless)).toBe('part');
  });

  test('because its input can’t be read rejects with the reason', async () => {
    const broken = Readable.from(
      (function* bytes() {
        yield Buffer.from('sound');
        throw new Error('EIO');
      })(),
    );
    await expect(transcodeBy('cat', broken)).rejects.toThrow('EIO');
  });
});
