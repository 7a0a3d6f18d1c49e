import { describe, expect, test } from 'vitest';
import type { TimedWord } from '#base/transcripts/line.ts';
import type { SearchHit } from '#contract/recordings.ts';
import type { Transcript, TranscriptHit } from '#contract/transcripts-api.ts';
import { TranscriberError } from '#server/transcribers/transcriber.ts';
import {
  apiUnderTest,
  problemOf,
  recordTake,
  startTake,
  type TestUser,
} from '#tests/support/api-under-test.ts';
import { linkRoutes } from '#contract/link-routes.ts';
import { listener, openShared, share, tokenOf } from '#tests/support/sharing.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { newId } from '#tests/support/factories.ts';
import { RecordedTranscriber } from '#tests/support/recorded-transcriber.ts';

const said = (text: string, fromMs: number): TimedWord[] =>
  text
    .split(' ')
    .map((word, index) => ({ fromMs: fromMs + index * 200, toMs: fromMs + index * 200 + 150, text: word }));

/** Two seconds. The first chunk has a sentence, the second is silent, the third has one word. */
const spoken = [...said('Ask not.', 100), ...said('Country', 1100)];

const agreed = { agreesToAddress: 'https://stt.example' };

eachDatabase((_name, open) => {
  const start = async () => {
    const transcriber = new RecordedTranscriber(spoken);
    const api = await apiUnderTest(await open(), undefined, { transcriber });
    const user = await api.signIn();
    const { recordingId } = await recordTake(api, user);
    const url = `/api/recordings/${recordingId}/transcript`;
    const read = async (by: TestUser = user) => (await api.as(by, { url })).json<Transcript>();
    const transcribe = (body: object = agreed, by: TestUser = user) =>
      api.as(by, { method: 'POST', url, payload: body });
    const correct = (id: string, body: object) =>
      api.as(user, { method: 'PUT', url: `${url}/corrections/${id}`, payload: body });
    const find = async (q: string) =>
      (await api.as(user, { url: `${url}/find?q=${encodeURIComponent(q)}` })).json<{
        items: TranscriptHit[];
      }>().items;
    return { transcriber, api, user, recordingId, url, read, transcribe, correct, find };
  };
  const shownOf = ({ lines }: Transcript) => lines.map(({ text, cause }) => (text === '' ? cause : text));

  test('a recording has no transcript until its owner asks for one', async () => {
    const { read, transcribe, api } = await start();
    expect(await read()).toMatchObject({ state: 'none', lines: [], next: null });
    const started = await transcribe();
    expect([started.statusCode, started.json<Transcript>().state]).toEqual([202, 'waiting']);
    await api.runJobs();
    const transcript = await read();
    expect(transcript).toMatchObject({ state: 'ready', language: 'en', cause: null });
    expect(shownOf(transcript)).toEqual(['Ask not.', 'no-speech', 'Country', 'no-speech']);
    expect(transcript.lines[0]).toMatchObject({
      fromMs: 100,
      times: [
        [100, 250, 3],
        [300, 450, 5],
      ],
    });
    expect(api.events.some(({ type }) => type === 'transcript-changed')).toBe(true);
    const { body: metrics } = await api.app.inject({ url: '/metrics' });
    expect(metrics).toMatch(/^earshot_transcribed_seconds_total 1\.99\d*$/m);
    expect(metrics).toMatch(/^earshot_transcribe_chunks_total\{outcome="words"\} 2$/m);
  });

  test('a page learns whether the server can transcribe, and to which host it sends sound', async () => {
    const { api, user, transcriber } = await start();
    const state = async () => (await api.as(user, { url: '/api/transcriber' })).json<object>();
    expect(await state()).toEqual({ state: 'ready', address: 'https://stt.example' });
    transcriber.address = null;
    expect(await state()).toEqual({ state: 'no-model', address: null });
    transcriber.hasOwnModel = true;
    expect(await state()).toEqual({ state: 'ready', address: null });
  });

  test('a transcription that is asked for twice runs once', async () => {
    const { transcribe, transcriber, api } = await start();
    expect([(await transcribe()).statusCode, (await transcribe()).statusCode]).toEqual([202, 202]);
    await api.runJobs();
    // The first two calls guess the language of a short recording.
    expect(transcriber.asked.map(({ language }) => language)).toEqual([null, 'en']);
  });

  describe('is refused', () => {
    test('to everybody but the owner', async () => {
      const { api, transcribe, url } = await start();
      const other = await api.signIn();
      expect(problemOf(await transcribe(agreed, other)).code).toBe('not-found');
      for (const request of [
        { url },
        { url: `${url}/find?q=ask` },
        { method: 'POST' as const, url: `${url}/stop` },
        { method: 'DELETE' as const, url },
        {
          method: 'PUT' as const,
          url: `${url}/corrections/${newId()}`,
          payload: { fromMs: 0, toMs: 9, text: '', revision: 0 },
        },
      ])
        expect(problemOf(await api.as(other, request)).code).toBe('not-found');
    });

    test('while the recording runs, and in the trash', async () => {
      const { api, user, recordingId, transcribe } = await start();
      const running = await startTake(api, user);
      const answer = await api.as(user, {
        method: 'POST',
        url: `/api/recordings/${running.recordingId}/transcript`,
        payload: agreed,
      });
      expect(problemOf(answer).code).toBe('still-recording');
      await api.as(user, { method: 'DELETE', url: `/api/recordings/${recordingId}` });
      expect(problemOf(await transcribe()).code).toBe('not-found');
    });

    test('until the user agrees that another host gets the sound', async () => {
      const { transcribe } = await start();
      expect(problemOf(await transcribe({})).code).toBe('transcriber-needs-agreement');
      expect(problemOf(await transcribe({ agreesToAddress: 'https://other.example' })).code).toBe(
        'transcriber-needs-agreement',
      );
    });

    test.each([
      [{ fromMs: 2000 }, '/fromMs'],
      [{ fromMs: 500, toMs: 600 }, '/toMs'],
      [{ language: 'not a tag' }, '/language'],
    ])('for a part that is none: %o', async (part, pointer) => {
      const { transcribe } = await start();
      const problem = problemOf(await transcribe({ ...agreed, ...part }));
      expect([problem.code, problem.errors?.[0]?.pointer]).toEqual(['validation', pointer]);
    });

    test('without a speech model', async () => {
      const { transcribe, transcriber } = await start();
      transcriber.address = null;
      expect(problemOf(await transcribe()).code).toBe('transcriber-missing');
    });
  });

  test('stopping leaves the words that are there, and continuing adds the others', async () => {
    const { api, transcribe, transcriber, user, url, read } = await start();
    transcriber.beforeChunk = async (fromMs) => {
      if (fromMs === 1000) await api.as(user, { method: 'POST', url: `${url}/stop` });
    };
    await transcribe({ ...agreed, language: 'en' });
    await api.runJobs();
    const stopped = await read();
    expect([stopped.state, stopped.heardToMs, shownOf(stopped)]).toEqual([
      'stopped',
      1000,
      ['Ask not.', 'no-speech'],
    ]);
    transcriber.beforeChunk = () => undefined;
    await transcribe({ ...agreed, language: 'en', fromMs: stopped.heardToMs });
    await api.runJobs();
    expect(shownOf(await read())).toEqual(['Ask not.', 'no-speech', 'Country', 'no-speech']);
  });

  test('a recording that goes to the trash is not transcribed further; restored, it can be continued', async () => {
    const { api, user, recordingId, transcribe, transcriber, read } = await start();
    transcriber.beforeChunk = async (fromMs) => {
      if (fromMs === 500) await api.as(user, { method: 'DELETE', url: `/api/recordings/${recordingId}` });
    };
    await transcribe({ ...agreed, language: 'en' });
    await api.runJobs();
    expect(transcriber.asked).toHaveLength(1);
    expect(await read()).toMatchObject({ state: 'stopped', heardToMs: 500 });
    transcriber.beforeChunk = () => undefined;
    await api.as(user, { method: 'POST', url: `/api/recordings/${recordingId}/restore` });
    await transcribe({ ...agreed, language: 'en', fromMs: 500 });
    await api.runJobs();
    expect(await read()).toMatchObject({ state: 'ready' });
  });

  test('a process that dies at any chunk leaves the same lines, none twice and none missing', async () => {
    const { api, transcribe, transcriber, read } = await start();
    const died = new Set<number>();
    transcriber.beforeChunk = (fromMs) => {
      if (died.has(fromMs)) return;
      died.add(fromMs);
      throw new TranscriberError('transcriber-unavailable', 'it died', 1);
    };
    await transcribe({ ...agreed, language: 'en' });
    for (let tries = 0; tries < 20 && (await read()).state !== 'ready'; tries += 1) {
      await api.runJobs();
      api.clock.advance(60_000);
    }
    expect(shownOf(await read())).toEqual(['Ask not.', 'no-speech', 'Country', 'no-speech']);
  });

  test('characters that no text may contain are left out of what an engine says', async () => {
    const { api, transcribe, transcriber, read } = await start();
    transcriber.words = [
      { fromMs: 100, toMs: 200, text: 'As\u0007k\ud800' },
      { fromMs: 250, toMs: 300, text: '\u202e' },
      { fromMs: 300, toMs: 400, text: 'not' },
    ];
    await transcribe({ ...agreed, language: 'en' });
    await api.runJobs();
    expect(shownOf(await read())[0]).toBe('Ask\ufffd not');
  });

  test('sound without speech is one line, however long it is', async () => {
    const { api, transcribe, transcriber, read } = await start();
    transcriber.words = said('Ask', 100);
    await transcribe({ ...agreed, language: 'en' });
    await api.runJobs();
    expect((await read()).lines.map(({ fromMs, toMs, cause }) => [fromMs, toMs, cause])).toEqual([
      [100, 250, null],
      [500, expect.any(Number), 'no-speech'],
    ]);
  });

  test('what cannot be transcribed says why', async () => {
    const { api, transcribe, transcriber, read } = await start();
    transcriber.beforeChunk = () => {
      throw new TranscriberError('transcriber-refused', 'wrong key');
    };
    await transcribe();
    await api.runJobs();
    expect(await read()).toMatchObject({ state: 'failed', cause: 'transcriber-refused' });
  });

  test('a muted passage is not sent to another host, and is a stretch without words', async () => {
    const { api, recordingId, transcribe, transcriber, read } = await start();
    await api.database.queries
      .insertInto('passages')
      .values({
        id: newId(),
        recording_id: recordingId,
        from_ms: 0,
        to_ms: 600,
        created_at: 1,
        released_at: null,
      })
      .execute();
    await transcribe({ ...agreed, language: 'en' });
    await api.runJobs();
    expect(transcriber.asked.map(({ fromMs }) => fromMs)).toEqual([600]);
    expect(shownOf(await read())).toEqual(['muted', 'no-speech', 'Country', 'no-speech']);
  });

  describe('corrections', () => {
    const transcribed = async () => {
      const given = await start();
      await given.transcribe({ ...agreed, language: 'en' });
      await given.api.runJobs();
      return given;
    };
    const span = { fromMs: 100, toMs: 450 };

    test('replace the words of their span, survive a new transcription, and are removed again', async () => {
      const { correct, read, transcribe, api, user, url } = await transcribed();
      const id = newId();
      const created = await correct(id, { ...span, text: 'Ask  nothing.', revision: 0 });
      expect([created.statusCode, created.json<object>()]).toEqual([201, { id, revision: 1 }]);
      await transcribe({ ...agreed, language: 'en' });
      await api.runJobs();
      expect((await read()).lines[0]).toMatchObject({
        text: 'Ask nothing.',
        correction: { id, revision: 1 },
      });
      await api.as(user, { method: 'DELETE', url: `${url}/corrections/${id}` });
      expect(shownOf(await read())[0]).toBe('Ask not.');
    });

    test('are idempotent, and never overwrite a later one', async () => {
      const { correct } = await transcribed();
      const id = newId();
      await correct(id, { ...span, text: 'one', revision: 0 });
      expect((await correct(id, { ...span, text: 'one', revision: 0 })).json<object>()).toEqual({
        id,
        revision: 1,
      });
      await correct(id, { ...span, text: 'two', revision: 1 });
      expect(problemOf(await correct(id, { ...span, text: 'three', revision: 1 })).code).toBe(
        'correction-changed',
      );
    });

    test.each([
      [{ fromMs: 0, toMs: 9_000_000 }, 'a', '/toMs'],
      [{ fromMs: 300, toMs: 300 }, 'a', '/toMs'],
      [{ fromMs: 300, toMs: 900 }, 'a', '/fromMs'],
      [{ fromMs: 500, toMs: 900 }, 'x'.repeat(5001), '/text'],
      [{ fromMs: 500, toMs: 900 }, 'a\u0007', '/text'],
    ])('are rejected for %o', async (at, text, pointer) => {
      const { correct } = await transcribed();
      await correct(newId(), { ...span, text: 'there', revision: 0 });
      const problem = problemOf(await correct(newId(), { ...at, text, revision: 0 }));
      expect([problem.code, problem.errors?.[0]?.pointer]).toEqual(['validation', pointer]);
    });

    test('are what is found', async () => {
      const { correct, find } = await transcribed();
      expect((await find('ask no')).map(({ text, atMs }) => [text, atMs])).toEqual([['Ask not.', 100]]);
      await correct(newId(), { ...span, text: 'Frag nicht', revision: 0 });
      expect(await find('ask')).toEqual([]);
      expect((await find('nicht')).map(({ text, atMs }) => [text, atMs])).toEqual([['Frag nicht', 275]]);
    });
  });

  test('the library finds recordings by what is said, and shows the line to pages that ask for it', async () => {
    const { api, user, transcribe, correct, recordingId } = await start();
    const found = async (query: string) =>
      (await api.as(user, { url: `/api/recordings?${query}` })).json<{
        items: { id: string; hit: SearchHit | null }[];
      }>().items;
    expect(await found('search=country')).toEqual([]);
    await transcribe();
    await api.runJobs();
    await api.startLibrary();
    await api.runJobs();
    expect(await found('search=country&hits=transcript')).toMatchObject([
      { id: recordingId, hit: { kind: 'transcript', text: 'Country', atMs: 1100, ranges: [[0, 7]] } },
    ]);
    // A page of an earlier version would reject the whole list.
    expect((await found('search=country')).map(({ hit }) => hit)).toEqual([null]);
    await correct(newId(), { fromMs: 1000, toMs: 1500, text: 'Kontinent', revision: 0 });
    await api.startLibrary();
    await api.runJobs();
    expect(await found('search=country&hits=transcript')).toEqual([]);
    expect(await found('search=konti&hits=transcript')).toMatchObject([
      { hit: { kind: 'transcript', text: 'Kontinent', atMs: 1000 } },
    ]);
  });

  test('listeners of a link get no word of it, whatever they ask for', async () => {
    const { api, user, recordingId, transcribe, transcriber, correct, read } = await start();
    transcriber.words = said('Zanzibar', 100);
    const link = await share({ api, user }, recordingId, {
      shows: { title: true, owner: true, date: true, markers: true, notes: true, gaps: true },
      download: 'formats',
      embed: 'any',
    });
    await transcribe();
    await api.runJobs();
    await correct(newId(), { fromMs: 1200, toMs: 1600, text: 'Mombasa', revision: 0 });
    expect(shownOf(await read())).toEqual(expect.arrayContaining(['Zanzibar', 'Mombasa']));
    const browser = listener(api);
    await openShared(browser, link);
    const answers: [string, number][] = [];
    for (const [name, route] of Object.entries(linkRoutes)) {
      const [method, path = ''] = route.split(' ');
      // The stream of events does not end; it says that something changed, never what.
      if (name === 'getShareEvents') continue;
      const url = path.replace(':token', tokenOf(link)) + (name === 'getOembed' ? `?url=${link.url}` : '');
      const answer = method === 'POST' ? await browser.post(url) : await browser.send('GET', url);
      answers.push([name, answer.statusCode]);
      expect(`${JSON.stringify(answer.headers)}${answer.rawPayload.toString('latin1')}`).not.toMatch(
        /zanzibar|mombasa/i,
      );
    }
    expect(answers.filter(([, status]) => status === 200).length).toBeGreaterThan(5);
    // The calls of the owner are closed to listeners.
    for (const call of ['', '/find?q=zanzibar'])
      expect((await browser.send('GET', `/api/recordings/${recordingId}/transcript${call}`)).statusCode).toBe(
        401,
      );
  });

  test('deleting a transcript deletes its words and corrections; the recording stays', async () => {
    const { api, user, url, transcribe, correct, read } = await start();
    await transcribe();
    await api.runJobs();
    await correct(newId(), { fromMs: 100, toMs: 450, text: 'x', revision: 0 });
    const remove = async () => (await api.as(user, { method: 'DELETE', url })).statusCode;
    expect([await remove(), await remove()]).toEqual([204, 204]);
    expect(await read()).toMatchObject({ state: 'none', lines: [] });
  });

  test('the sound of a user is limited per day', async () => {
    const { api, transcribe, user, read } = await start();
    const day = new Date(api.clock.nowMs()).toISOString().slice(0, 10);
    await api.database.queries
      .insertInto('transcribed_days')
      .values({ user_id: user.id, day, sound_ms: 24 * 3_600_000 })
      .execute();
    expect(problemOf(await transcribe()).code).toBe('transcription-limit');
    api.clock.advance(24 * 3_600_000);
    expect((await transcribe()).statusCode).toBe(202);
    await api.runJobs();
    expect((await read()).state).toBe('ready');
  });
});
