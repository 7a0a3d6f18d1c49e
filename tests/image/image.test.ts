import { readFileSync } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { minute, second } from '#base/duration.ts';
import { soundInput } from '#server/processes/ffmpeg/ffmpeg-limits.ts';
import { readyAfterMs, recordingOf, sendImport, settledRecording } from '#tests/abuse/attack.ts';
import { ApiClient, appendAll, newId, sealTake, sha256Hex, startTake } from '#tests/support/api-client.ts';
import { oggOfSilence, peaksOf } from '#tests/support/api-under-test.ts';
import { type BuiltImage, buildImage, obstacle, run } from './build-image.ts';
import { removeFolder, RunningImage } from './running-image.ts';

const maxSizeBytes = 450_000_000;
const maxStartMs = 3 * second;
const buildTimeoutMs = 25 * minute;
/** A folder whose base image and steps are used again; empty for a temporary one. */
const reusedFolder = process.env['IMAGE_TEST_FOLDER'] ?? '';

const reason = obstacle();
if (reason !== null) console.log(`The image is not tested: ${reason}.`);

const fixture = (name: string): Buffer => readFileSync(join(import.meta.dirname, '..', 'fixtures', name));

describe.skipIf(reason !== null)(
  `the image of deploy/Dockerfile${reason === null ? '' : ` (${reason})`}`,
  () => {
    let folder: string;
    let image: BuiltImage;
    let running: RunningImage;
    let client: ApiClient;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'earshot-image-'));
      image = await buildImage(reusedFolder === '' ? join(folder, 'build') : reusedFolder, {
        reusesLayers: reusedFolder !== '',
        signal: AbortSignal.timeout(buildTimeoutMs),
      });
      running = await RunningImage.start(image, join(folder, 'data'));
      client = new ApiClient(running.url);
      await client.signUp();
    }, buildTimeoutMs + minute);

    afterAll(async () => {
      client?.close();
      await running?.end('SIGKILL');
      if (folder) await removeFolder(folder);
    }, minute);

    test(`has at most ${maxSizeBytes / 1e6} MB`, () => {
      console.log(`image: ${Math.round(image.sizeBytes / 1e6)} MB`);
      expect(image.sizeBytes).toBeLessThanOrEqual(maxSizeBytes);
    });

    test('runs as an unprivileged user, under an init process', async () => {
      const [first, server, ...others] = await running.processes();
      expect(first?.command).toMatch(/^tini /);
      expect(server?.command).toMatch(/node .*earshot serve$/);
      expect(others).toEqual([]);
      for (const each of [first, server])
        expect(each).toMatchObject({ userIds: [1000, 1000, 1000, 1000], capabilities: '0000000000000000' });
      expect(image.config.User).toBe('node');
    });

    test('writes to its data folder and to /tmp alone, even as root', async () => {
      for (const path of [
        '/app/file',
        '/app/dist/file',
        '/etc/file',
        '/usr/local/bin/file',
        '/root/file',
        '/file',
      ])
        expect((await running.execute(['touch', path], { asRoot: true })).output).toContain(
          'Read-only file system',
        );
      expect((await running.execute(['touch', '/tmp/file', '/data/file'])).code).toBe(0);
      expect(Object.keys(image.config.Volumes)).toEqual(['/data']);
    });

    test(`is ready within ${maxStartMs / second} seconds, on a new data folder`, async () => {
      const other = await RunningImage.start(image, join(folder, 'new'));
      const processorMs = await other.processorMs();
      await other.end('SIGTERM');
      console.log(
        `ready after ${Math.round(other.startedInMs)} ms, ${processorMs} ms of them on a processor`,
      );
      // Processor time, because other work on this machine delays a start by any amount.
      expect(processorMs).toBeLessThanOrEqual(maxStartMs);
    });

    test('has the web app', async () => {
      const page = await fetch(running.url, { headers: { accept: 'text/html' } });
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('/assets/')]);
    });

    test('is healthy while the server runs, by its own check', async () => {
      const [kind, ...command] = image.config.Healthcheck.Test;
      expect(kind).toBe('CMD');
      expect((await running.execute(command)).code).toBe(0);
      expect((await running.execute(['env', 'PORT=1', ...command])).code).toBe(1);
    });

    test('records a take and plays it', async () => {
      expect(await readyAfterMs(client)).toBeLessThan(minute);
    });

    test('imports films and converts them to every format', async () => {
      const recordingId = await sendImport(client, {
        bytes: fixture('speech-1961.mp4'),
        name: 'speech.mp4',
        durationMs: 5000,
      });
      const { state, rendition } = await settledRecording(client, recordingId);
      expect({ state, rendition }).toMatchObject({ state: 'ready' });
      const { formats } = (await client.json('GET', '/api/exports/formats')) as { formats: string[] };
      expect(formats).toEqual(expect.arrayContaining(['wav', 'flac', 'mp3', 'm4a', 'opus']));
      for (const format of ['wav', 'flac', 'mp3', 'm4a', 'opus']) {
        const converted = await client.send({
          method: 'GET',
          path: `/api/recordings/${recordingId}/download?format=${format}`,
          headers: { cookie: client.cookie },
        });
        expect([format, converted.status]).toEqual([format, 200]);
        expect(converted.body.length).toBeGreaterThan(10_000);
      }
      expect((await recordingOf(client, recordingId)).durationMs).toBeGreaterThan(4000);
    });

    test('its ffmpeg decodes every codec that the server allows, if the one of this machine does', async () => {
      const namesIn = (text: string): string[] =>
        text.split('\n').flatMap((line) => /^ [A-Z.]+ +(\S+) /.exec(line)?.[1]?.split(',') ?? []);
      const [, , , , , codecs = ''] = soundInput('file');
      const demuxers = soundInput('file')[3] ?? '';
      for (const [option, allowed] of [
        ['-decoders', codecs],
        ['-demuxers', demuxers],
      ] as const) {
        const ours = namesIn((await running.execute(['ffmpeg', '-hide_banner', option])).output);
        const theirs = namesIn(await run('ffmpeg', ['-hide_banner', option]));
        const wanted = allowed.split(',').filter((name) => !name.startsWith('lib') && theirs.includes(name));
        expect(wanted.length).toBeGreaterThan(20);
        expect(wanted.filter((name) => !ours.includes(name))).toEqual([]);
      }
    });

    test('has the commands of Earshot', async () => {
      const { code, output } = await running.execute(['earshot', 'verify']);
      expect({ code, output }).toMatchObject({ code: 0 });
    });

    test('contains neither settings of npm nor development packages', async () => {
      expect((await readFile(join(image.root, 'root/.npmrc'), 'utf8').catch(() => '')).length).toBe(0);
      expect(
        (await running.execute(['ls', 'node_modules/vite', 'node_modules/@babel', 'node_modules/node/bin']))
          .output,
      ).toMatch(/(?:No such file or directory[\s\S]*){3}/);
    });

    test('ends well within its grace period, and a running take continues after the restart', async () => {
      const data = join(folder, 'restart');
      const before = await RunningImage.start(image, data);
      const recorder = new ApiClient(before.url);
      onTestFinished(() => recorder.close());
      await recorder.signUp();
      const take = await startTake(recorder, newId());
      const [audio, peaks] = [oggOfSilence(5), peaksOf(5)];
      const half = Math.floor(audio.length / 2);
      await appendAll(
        recorder,
        { uploadId: take.audioId, token: take.token },
        { bytes: audio.subarray(0, half) },
      );
      const endedAtMs = performance.now();
      expect(await before.end('SIGTERM')).toBe(0);
      expect(performance.now() - endedAtMs).toBeLessThan(30 * second);

      const after = await RunningImage.start(image, data);
      onTestFinished(async () => {
        await after.end('SIGKILL');
      });
      const continued = new ApiClient(after.url);
      onTestFinished(() => continued.close());
      continued.cookie = recorder.cookie;
      // A restart cuts a page that has not arrived completely. Recorders continue where the server says.
      const { headers } = await continued.send({
        method: 'HEAD',
        path: `/api/uploads/${take.audioId}`,
        headers: { authorization: `Bearer ${take.token}` },
      });
      const fromByte = Number(headers['upload-offset']);
      expect(fromByte).toBeGreaterThan(0);
      await appendAll(continued, { uploadId: take.audioId, token: take.token }, { bytes: audio, fromByte });
      await appendAll(continued, { uploadId: take.peaksId, token: take.token }, { bytes: peaks });
      const sealed = (bytes: Uint8Array) => ({ lengthBytes: bytes.length, sha256: sha256Hex(bytes) });
      await sealTake(continued, take, { audio: sealed(audio), peaks: sealed(peaks), durationMs: 5000 });
    });
  },
);
