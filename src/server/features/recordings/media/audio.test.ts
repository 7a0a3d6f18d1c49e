import { describe, expect, test } from 'vitest';
import {
  append,
  apiOnSqlite,
  startTake,
  oggOfSilence,
  problemOf,
  recordTake,
} from '#tests/support/api-under-test.ts';

describe('the audio of a recording', () => {
  const setUp = async () => {
    const api = await apiOnSqlite();
    const user = await api.signIn();
    const { audio, recordingId } = await recordTake(api, user);
    return { api, user, audio, url: `/api/recordings/${recordingId}/audio` };
  };

  test('is served whole, as Ogg/Opus that accepts ranges', async () => {
    const { api, user, audio, url } = await setUp();
    const answer = await api.as(user, { url });
    expect(answer.rawPayload).toEqual(audio);
    expect(answer.headers).toMatchObject({
      'content-type': 'audio/ogg; codecs=opus',
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-cache',
      vary: 'Cookie',
      'cross-origin-resource-policy': 'same-origin',
    });
  });

  test.for([
    ['bytes=0-9', 0, 10],
    ['bytes=10-', 10, Infinity],
    ['bytes=-5', -5, Infinity],
    ['bytes=0-999999999', 0, Infinity],
    ['bytes=-999999999', 0, Infinity],
    ['Bytes = 3 - 3', 3, 4],
  ] as const)('is served by range: %s', async ([range, from, to]) => {
    const { api, user, audio, url } = await setUp();
    const answer = await api.as(user, { url, headers: { range } });
    const wanted = audio.subarray(from, Math.min(to, audio.length));
    expect(answer.statusCode).toBe(206);
    expect(answer.rawPayload).toEqual(wanted);
    const start = from < 0 ? audio.length + from : from;
    expect(answer.headers['content-range']).toBe(
      `bytes ${start}-${start + wanted.length - 1}/${audio.length}`,
    );
  });

  test.for(['bytes=99999999-', `bytes=${'9'.repeat(400)}-`, 'bytes=-0'])(
    'an absurd range is not satisfiable: %s',
    async (range) => {
      const { api, user, audio, url } = await setUp();
      const answer = await api.as(user, { url, headers: { range } });
      expect([answer.statusCode, problemOf(answer).code, answer.headers['content-range']]).toEqual([
        416,
        'range-not-satisfiable',
        `bytes */${audio.length}`,
      ]);
    },
  );

  test.for(['bytes=5-2', 'bytes=0-1,5-9', 'seconds=1-2', 'bytes=a-b', 'bytes=-', ''])(
    'a range that a server may ignore returns the whole: %s',
    async (range) => {
      const { api, user, audio, url } = await setUp();
      const answer = await api.as(user, { url, headers: { range } });
      expect([answer.statusCode, answer.rawPayload.length]).toEqual([200, audio.length]);
    },
  );

  test('with a known entity tag answers 304, and with another If-Range tag sends the whole', async () => {
    const { api, user, url } = await setUp();
    const etag = String((await api.as(user, { url })).headers['etag']);
    expect((await api.as(user, { url, headers: { 'if-none-match': `"x", ${etag}` } })).statusCode).toBe(304);
    expect((await api.as(user, { url, headers: { range: 'bytes=0-1', 'if-range': etag } })).statusCode).toBe(
      206,
    );
    expect((await api.as(user, { url, headers: { range: 'bytes=0-1', 'if-range': '"x"' } })).statusCode).toBe(
      200,
    );
  });

  test('HEAD reports the size and sends no body', async () => {
    const { api, user, audio, url } = await setUp();
    const answer = await api.as(user, { method: 'HEAD', url });
    expect([answer.statusCode, answer.rawPayload.length, answer.headers['content-length']]).toEqual([
      200,
      0,
      String(audio.length),
    ]);
  });

  test('a download is named after the recording, in any script', async () => {
    const { api, user, url } = await setUp();
    const answer = await api.as(user, { url, query: { download: 'true' } });
    expect(answer.headers['content-disposition']).toBe(
      `attachment; filename="Gesprach uber 100 % Wolle.opus"; filename*=UTF-8''Gespr%C3%A4ch%20%C3%BCber%20100%20%25%20Wolle.opus`,
    );
  });

  test('larger than a mebibyte is streamed, whole and by range', async () => {
    const { api, user } = await setUp();
    const take = await startTake(api, user);
    const ended = oggOfSilence(12_000);
    const long = ended.subarray(0, ended.lastIndexOf('OggS'));
    for (let offset = 0; offset < long.length; offset += 1_000_000)
      await append(api, take, {
        uploadId: take.audioId,
        offset,
        bytes: long.subarray(offset, offset + 1_000_000),
      });
    const whole = await api.as(user, { url: `/api/recordings/${take.recordingId}/audio` });
    expect(whole.rawPayload.equals(long)).toBe(true);
    const part = await api.as(user, {
      url: `/api/recordings/${take.recordingId}/audio`,
      headers: { range: 'bytes=7-2500000' },
    });
    expect(part.rawPayload.equals(long.subarray(7, 2_500_001))).toBe(true);
  });

  test('of a running take is served in whole pages only', async () => {
    const { api, user, audio } = await setUp();
    const take = await startTake(api, user);
    const lastPage = audio.lastIndexOf('OggS');
    await append(api, take, { uploadId: take.audioId, offset: 0, bytes: audio.subarray(0, lastPage + 9) });
    const answer = await api.as(user, { url: `/api/recordings/${take.recordingId}/audio` });
    expect(answer.rawPayload).toEqual(audio.subarray(0, lastPage));
  });

  test('of a recording without bytes is empty, and every range of it is unsatisfiable', async () => {
    const { api, user } = await setUp();
    const take = await startTake(api, user);
    const empty = `/api/recordings/${take.recordingId}/audio`;
    expect((await api.as(user, { url: empty })).rawPayload).toHaveLength(0);
    expect((await api.as(user, { url: empty, headers: { range: 'bytes=0-' } })).statusCode).toBe(416);
  });

  test('is not served to signed-out users', async () => {
    const { api, url } = await setUp();
    const answer = await api.as(null, { url });
    expect([answer.statusCode, problemOf(answer).code]).toEqual([401, 'session-required']);
  });
});
