import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readPyramidHeader } from '#audio/peaks/peaks-pyramid.ts';
import type { Recording } from '#contract/recordings.ts';
import type { SharedRecording } from '#contract/shares.ts';
import { answerOf } from '#tests/support/accounts-under-test.ts';
import {
  apiOnSqlite,
  type ApiUnderTest,
  append,
  complete,
  finish,
  oggOfSilence,
  openUpload,
  registerTake,
  type Take,
  type TestUser,
} from '#tests/support/api-under-test.ts';
import { newId } from '#tests/support/factories.ts';
import { hasFfmpeg } from '#tests/support/sample-files.ts';
import { listener, openShared, share, tokenOf } from '#tests/support/sharing.ts';

const fixture = (name: string): Buffer =>
  readFileSync(join(import.meta.dirname, '..', '..', '..', '..', '..', 'tests', 'fixtures', name));

/** Starts a take whose first segment is a file of the browser's own recorder. Its second one, PCM, still grows. */
async function startRecorderTake(
  api: ApiUnderTest,
  user: TestUser,
  { container }: { container: 'webm' | 'mp4' },
): Promise<{ take: Take; recorder: Buffer; laterId: string }> {
  const take = await registerTake(api, user);
  const laterId = newId();
  const recorder = fixture(`speech-1961.${container}`);
  await openUpload(api, take, { uploadId: take.audioId, stream: 'audio', container });
  await append(api, take, { uploadId: take.audioId, offset: 0, bytes: recorder });
  await openUpload(api, take, { uploadId: laterId, stream: 'audio', segmentIndex: 1, startMs: 12_000 });
  await append(api, take, { uploadId: laterId, offset: 0, bytes: oggOfSilence(10) });
  return { take, recorder, laterId };
}

const liveLink = { live: { delayMs: 0, isHeldAfterStop: false } } as const;

/** Jobs of a segment start two seconds after its seal. */
async function runJobsAfterSeal(api: ApiUnderTest): Promise<void> {
  api.clock.advance(2000);
  await api.runJobs();
}

describe.each([
  { container: 'webm' as const, needsFfmpeg: false },
  { container: 'mp4' as const, needsFfmpeg: true },
])("a running take that starts with a $container file of the browser's recorder", (recorderOf) => {
  const isSkipped = recorderOf.needsFfmpeg && !hasFfmpeg;

  test.skipIf(isSkipped)('is heard through its live link once that file is complete', async () => {
    const api = await apiOnSqlite();
    const user = await api.signIn();
    const { take, recorder, laterId } = await startRecorderTake(api, user, recorderOf);
    const link = await share({ api, user }, take.recordingId, liveLink);
    const shown = async () => answerOf<SharedRecording>(await openShared(listener(api), link));
    expect(await shown()).toMatchObject({ state: 'not-started' });
    await complete(api, take, { uploadId: take.audioId, bytes: recorder });
    await runJobsAfterSeal(api);
    const live = await shown();
    expect(live.state).toBe('live');
    expect(live.durationMs).toBeGreaterThan(20_000);
    const peaks = (await listener(api).send('GET', `/s/${tokenOf(link)}/peaks`)).rawPayload;
    const finest = readPyramidHeader(peaks)?.levels.at(-1);
    const ofRecorder = peaks.subarray(finest?.offsetBytes, (finest?.offsetBytes ?? 0) + 1000);
    expect(ofRecorder.some((value) => value !== 0)).toBe(true);
    const audioNow = async () => (await listener(api).send('GET', `/s/${tokenOf(link)}/audio`)).rawPayload;
    const first = await audioNow();
    const more = oggOfSilence(20);
    await append(api, take, {
      uploadId: laterId,
      offset: oggOfSilence(10).length,
      bytes: more.subarray(oggOfSilence(10).length),
    });
    expect(Buffer.compare((await audioNow()).subarray(0, first.length), first)).toBe(0);
  });
});

describe('the recording afterwards', () => {
  /** Finishes a take whose segment was made playable while it ran, or not, and returns what was stored. */
  async function finished({ whileRunning }: { whileRunning: boolean }) {
    const api = await apiOnSqlite();
    const user = await api.signIn();
    const { take, recorder, laterId } = await startRecorderTake(api, user, { container: 'webm' });
    await complete(api, take, { uploadId: take.audioId, bytes: recorder });
    if (whileRunning) await runJobsAfterSeal(api);
    await complete(api, take, { uploadId: laterId, bytes: oggOfSilence(10) });
    await finish(api, take, { durationMs: 22_000, segmentCount: 2 });
    if (!whileRunning) await runJobsAfterSeal(api);
    await api.runJobs();
    const recording = (await api.as(user, { url: `/api/recordings/${take.recordingId}` })).json<Recording>();
    const audio = (await api.as(user, { url: `/api/recordings/${take.recordingId}/audio` })).rawPayload;
    const { stored_bytes: storedBytes } = await api.database.queries
      .selectFrom('recordings')
      .select('stored_bytes')
      .where('id', '=', take.recordingId)
      .executeTakeFirstOrThrow();
    return { durationMs: recording.durationMs, state: recording.state, audio, storedBytes };
  }

  test('is the same whether its file was made while it ran or when it ended', async () => {
    const [early, late] = [await finished({ whileRunning: true }), await finished({ whileRunning: false })];
    expect(early.state).toBe('ready');
    expect(Buffer.compare(early.audio, late.audio)).toBe(0);
    const { audio: _early, ...earlyFacts } = early;
    const { audio: _late, ...lateFacts } = late;
    expect(earlyFacts).toEqual(lateFacts);
  });
});
