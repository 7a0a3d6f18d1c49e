import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  apiOnSqlite,
  append,
  complete,
  finish,
  openUpload,
  registerTake,
  type ApiUnderTest,
  type TestUser,
} from '#tests/support/api-under-test.ts';
import { toneFile } from '#tests/support/media/ffmpeg-files.ts';
import { hasFfmpeg } from '#tests/support/sample-files.ts';

const fixtures = join(import.meta.dirname, '..', '..', '..', '..', '..', 'tests', 'fixtures');
const unreadable = Buffer.from('bytes that no reader knows, from a recorder that was killed at its start');

/** Uploads the file of a browser's own recorder as a take of one segment, and finishes it. */
async function upload(
  api: ApiUnderTest,
  user: TestUser,
  { container, bytes }: { container: string; bytes: Buffer },
): Promise<string> {
  const take = await registerTake(api, user);
  const { recordingId, audioId } = take;
  await openUpload(api, take, { uploadId: audioId, stream: 'audio', container });
  await append(api, take, { uploadId: audioId, offset: 0, bytes });
  await complete(api, take, { uploadId: audioId, bytes });
  await finish(api, take, { durationMs: null });
  return recordingId;
}

test.each([
  { container: 'webm', file: 'speech-1961.webm' },
  { container: 'mp4', file: 'speech-1961.mp4' },
])('a $container file is served whole and by range at every moment until it is ready', async (recorder) => {
  const api = await apiOnSqlite();
  const user = await api.signIn();
  const bytes = readFileSync(join(fixtures, recorder.file));
  const id = await upload(api, user, { ...recorder, bytes });
  let isReady = false;
  const jobs = api.runJobs().finally(() => {
    isReady = true;
  });
  const url = `/api/recordings/${id}/audio`;
  const requestBoth = async () => {
    const whole = await api.as(user, { url });
    const part = await api.as(user, { url, headers: { range: 'bytes=0-99' } });
    expect([whole.statusCode, part.statusCode, part.rawPayload.length]).toEqual([200, 206, 100]);
    expect(whole.rawPayload.length).toBeGreaterThan(bytes.length / 2);
    return whole.headers['content-type'];
  };
  while (!isReady) await requestBoth();
  await jobs;
  expect(await requestBoth()).toBe('audio/ogg; codecs=opus');
});

test.each(['webm', 'mp4'])('a %s file that cannot be read is served as it is', async (container) => {
  const api = await apiOnSqlite();
  const user = await api.signIn();
  const id = await upload(api, user, { container, bytes: unreadable });
  await api.runJobs();
  const url = `/api/recordings/${id}/audio`;
  const whole = await api.as(user, { url });
  expect([whole.statusCode, whole.rawPayload]).toEqual([200, unreadable]);
  expect(whole.headers['content-type']).toBe(`audio/${container}`);
  const part = await api.as(user, { url, headers: { range: 'bytes=6-9' } });
  expect([part.statusCode, part.rawPayload]).toEqual([206, unreadable.subarray(6, 10)]);
});

/** A fragmented file whose last fragment has its header twice, as WebKitGTK writes it at Stop. */
function repeatedHeader(file: Buffer): Buffer {
  const at = file.lastIndexOf('moof', undefined, 'latin1') - 4;
  return Buffer.concat([
    file.subarray(0, at),
    file.subarray(at, at + file.readUInt32BE(at)),
    file.subarray(at),
  ]);
}

test.skipIf(!hasFfmpeg)(
  'a repeated header of the last fragment adds no noise, and loses nothing',
  async () => {
    const options = ['-movflags', '+frag_keyframe+empty_moov+default_base_moof+skip_trailer'];
    const plain = toneFile('tone.mp4', ['-c:a', 'libopus', ...options, '-frag_duration', '1000000']);
    const api = await apiOnSqlite();
    const user = await api.signIn();
    const audio: Buffer[] = [];
    for (const bytes of [plain, repeatedHeader(plain)]) {
      const id = await upload(api, user, { container: 'mp4', bytes });
      await api.runJobs();
      audio.push((await api.as(user, { url: `/api/recordings/${id}/audio` })).rawPayload);
    }
    const [expected, repeated] = audio;
    expect(repeated).toEqual(expected);
  },
);
