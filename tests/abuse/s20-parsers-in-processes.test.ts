import { existsSync } from 'node:fs';
import { chmod, glob, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeWav } from '#tests/support/made-wav.ts';
import { expectNeighbourUnharmed, launchServer, newUser, sendImport, settledRecording } from './attack.ts';

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'earshot-s20-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** AIFF, which only ffmpeg reads: a header without audio. */
const aiff = Buffer.concat([
  Buffer.from('FORM'),
  Buffer.of(0, 0, 0, 30),
  Buffer.from('AIFFCOMM'),
  Buffer.alloc(22),
]);

test('S20: ffmpeg gets no secret of the server, reads audio only, and runs under limits', async () => {
  const folder = await newFolder();
  const program = join(folder, 'ffmpeg');
  // The program may write no file, but its output is stored as the converted audio.
  await writeFile(program, '#!/bin/sh\nenv; echo "arguments: $*"; ulimit -f\ncat > /dev/null\n');
  await chmod(program, 0o755);
  const server = await launchServer({
    FFMPEG_PATH: program,
    SECRET_KEY: 'a secret that no other program may see',
  });
  const user = await newUser(server);
  const recordingId = await sendImport(user, { bytes: aiff, name: 'talk.aiff' });
  await settledRecording(user, recordingId);
  const [stored] = await Array.fromAsync(glob(`**/${recordingId}/*-ogg`, { cwd: server.dataDir }));
  const text = await readFile(join(server.dataDir, stored ?? ''), 'utf8');
  expect(text).toMatch(
    /arguments: .*-protocol_whitelist file -format_whitelist \S+ -codec_whitelist \S+ -i file:\S+ /,
  );
  const names = text
    .split('\n')
    .filter((line) => /^\w+=/.test(line))
    .map((line) => line.split('=')[0] ?? '');
  expect(
    names.filter((name) => !['PATH', 'LD_LIBRARY_PATH', 'PWD', 'OLDPWD', 'SHLVL', '_'].includes(name)),
  ).toEqual([]);
});

test.skipIf(!existsSync('/proc/self/limits'))(
  'S20: a replaced ffmpeg that uses up memory and time does no harm',
  async () => {
    const folder = await newFolder();
    const program = join(folder, 'ffmpeg');
    await writeFile(program, '#!/bin/sh\nx=xxxxxxxxxxxxxxxx\nwhile :; do x="$x$x"; done\n');
    await chmod(program, 0o755);
    const server = await launchServer({ FFMPEG_PATH: program });
    const attacker = await newUser(server);
    await expectNeighbourUnharmed(server, async () => {
      const recording = await settledRecording(
        attacker,
        await sendImport(attacker, { bytes: aiff, name: 'talk.aiff' }),
      );
      expect(recording.state).toBe('failed');
    });
  },
);

test('S20: imports a valid audio file in the same way', async () => {
  const server = await launchServer();
  const user = await newUser(server);
  const bytes = Buffer.from(makeWav({ seconds: 2, sampleRateHz: 8000 }));
  expect(await settledRecording(user, await sendImport(user, { bytes, name: 'talk.wav' }))).toMatchObject({
    state: 'ready',
    durationMs: 2000,
    damagedAt: null,
  });
});
