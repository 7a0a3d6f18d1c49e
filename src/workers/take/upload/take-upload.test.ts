import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { limits } from '#contract/limits.ts';
import type { Gap, Pause } from '#contract/recordings.ts';
import type { TakeMarker, TakeNote, TakePassage } from '#device/records/take-record.ts';
import { type Fate, ModelUploadServer, problem } from '#workers/upload/model-upload-server.suite.ts';
import { TakeUpload } from './take-upload.ts';
import { statedSilence } from '#workers/upload/stated-silence.ts';
import { UploadAccess } from '#workers/upload/upload-access.ts';

const recordingId = '0190f000-0000-7000-8000-000000000001';
const ids = { audio: '0190f000-0000-7000-8000-00000000000a', peaks: '0190f000-0000-7000-8000-00000000000b' };
const capability = (token: string) => ({
  token,
  expiresAt: '2030-01-01T00:00:00.000Z',
  appendIntervalMs: 500,
});
const bytesOf = (sizeBytes: number, seed = 1) =>
  Uint8Array.from({ length: sizeBytes }, (_, index) => (index * 31 + seed * 7) & 255);

/** A take of given bytes with a clock that only advances during waits, so that a wait of an hour takes no time. */
function takeOf({
  audio = bytesOf(5000),
  peaks = bytesOf(300, 2),
  isSealed = true,
  epoch = 1,
  goesOn = false,
} = {}) {
  const server = new ModelUploadServer();
  const asked: string[] = [];
  const slept: number[] = [];
  const unsent: TakeMarker[] = [];
  const unsentNotes: TakeNote[] = [];
  const sent: { markers: TakeMarker[]; notes: TakeNote[] } = { markers: [], notes: [] };
  const gaps: Gap[] = [];
  const pauses: Pause[] = [];
  const passages: TakePassage[] = [];
  const state = {
    audio,
    peaks,
    isSealed,
    durationMs: 1234 as number | null,
    microphoneSilenceMs: null as number | null,
    gaps,
    pauses,
    reopened: 0,
    nowMs: 0,
    onSleep: (_delayMs: number) => {},
  };
  const deps = {
    fetch: server.fetch,
    nowMs: () => state.nowMs,
    random: () => 1,
    sleep: async (delayMs: number, signal: AbortSignal) => {
      slept.push(delayMs);
      state.onSleep(delayMs);
      await new Promise((resolve) => setImmediate(resolve));
      if (!signal.aborted) state.nowMs += delayMs;
    },
  };
  const access = new UploadAccess(deps, (reason) => {
    asked.push(reason);
  });
  const source = (stream: 'audio' | 'peaks') => ({
    uploadId: ids[stream],
    creation: { recordingId, stream, segmentIndex: 0, startMs: 0, epoch },
    sizeBytes: () => state[stream].length,
    isSealed: () => state.isSealed,
    read: async (offsetBytes: number, sizeBytes: number) =>
      state[stream].slice(offsetBytes, offsetBytes + sizeBytes),
    acknowledged: () => {},
  });
  const upload = new TakeUpload(
    {
      sources: [source('audio'), source('peaks')],
      recordingId,
      markers: {
        isSealed: () => state.isSealed,
        next: () => unsent[0] ?? null,
        send: async (client, { id, atMs, label }) => {
          await client.addMarker(recordingId, { id, atMs, label });
          return { text: label };
        },
        setSent: async ({ id }) => {
          sent.markers.push(
            ...unsent.splice(
              unsent.findIndex((marker) => marker.id === id),
              1,
            ),
          );
        },
        sendAgain: async () => {
          unsent.push(...sent.markers.splice(0));
        },
      },
      notes: {
        isSealed: () => state.isSealed,
        next: () => unsentNotes[0] ?? null,
        send: async (client, { id, atMs, text }) => {
          await client.addNote(recordingId, { id, fromMs: atMs, text });
          return { text };
        },
        setSent: async ({ id }) => {
          sent.notes.push(
            ...unsentNotes.splice(
              unsentNotes.findIndex((note) => note.id === id),
              1,
            ),
          );
        },
        sendAgain: async () => {
          unsentNotes.push(...sent.notes.splice(0));
        },
      },
      passages: {
        isSealed: () => state.isSealed,
        next: () => passages.find(({ stored }) => stored === null) ?? null,
        isRejectedOnceFinished: true,
        areStartsStored: () => passages.every(({ stored }) => stored !== null),
        send: (client, { id, atMs, toMs }) => client.putPassage(recordingId, id, { atMs, toMs }),
        setSent: async (passage, answer) => {
          passage.stored = answer;
        },
        sendAgain: async () => {
          for (const passage of passages) passage.stored = null;
        },
      },
      gaps: { recordingId, isSealed: () => state.isSealed, current: () => state.gaps },
      goesOn,
      reopened: async () => {
        state.reopened += 1;
      },
      finishing: () => ({
        durationMs: state.durationMs,
        segmentCount: 1,
        gaps: state.gaps,
        pauses: state.pauses,
        ...statedSilence(state.microphoneSilenceMs),
      }),
    },
    access,
    deps,
  );
  return { server, asked, slept, unsent, unsentNotes, passages, state, access, upload };
}
type Take = ReturnType<typeof takeOf>;

function expectWhole({ server, state, upload }: Take) {
  for (const stream of ['audio', 'peaks'] as const) {
    expect(Buffer.from(server.stored(stream)?.bytes ?? []).equals(Buffer.from(state[stream]))).toBe(true);
    expect(server.stored(stream)?.sealed).toBe(true);
  }
  expect(server.finished.at(-1)).toEqual({ durationMs: 1234, segmentCount: 1, gaps: [], pauses: [] });
  expect(upload.condition).toBe('idle');
}

/** Lets pending asynchronous steps run, before a test states that something has not happened. */
async function settle(turns = 60) {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
}

test('uploads a stopped take without waiting: creates, sends, seals and finishes it', async () => {
  const take = takeOf();
  take.access.attach(capability('token-1'));
  await take.upload.run();
  expectWhole(take);
  expect(take.slept).toEqual([]);
  expect(take.server.calls.filter((call) => call.includes('audio') || call.includes(ids.audio))).toEqual([
    `PUT /api/uploads/${ids.audio}`,
    `PATCH /api/uploads/${ids.audio}`,
    `POST /api/uploads/${ids.audio}/complete`,
  ]);
});

test('finishes on a server of an earlier version, which does not know the cause of a gap or of a pause', async () => {
  const take = takeOf();
  take.server.rejectsNewCauses = true;
  const gap = { atMs: 10, durationMs: 20 };
  const cut = { atMs: 40, durationMs: 0, cause: 'device-slept' } as const;
  take.state.gaps.push({ ...gap, cause: 'browser-busy' }, { ...gap, cause: 'device-slept' });
  take.state.gaps.push({ ...cut, cutMs: 80 }, { ...cut, cutMs: 9000 });
  take.state.pauses.push({ ...gap, cause: 'stopped' }, gap);
  take.access.attach(capability('token-1'));
  await take.upload.run();
  expect(take.server.finished.at(-1)).toMatchObject({
    gaps: [
      { ...gap, cause: 'unknown' },
      { ...gap, cause: 'device-slept' },
      { ...cut, durationMs: 80 },
      // Sound that is there must not be skipped.
      { ...cut, durationMs: 299 },
    ],
    pauses: [gap, gap],
  });
});

test.for([
  { server: 'of this version gets it', isEarlier: false, sent: [{ microphoneSilenceMs: 700 }] },
  {
    server: 'of an earlier version, which rejects it, gets the rest',
    isEarlier: true,
    sent: [{ microphoneSilenceMs: 700 }, { durationMs: 1234, segmentCount: 1, gaps: [], pauses: [] }],
  },
])('tells the silence of the microphone: a server $server', async ({ isEarlier, sent }) => {
  const take = takeOf();
  take.server.rejectsNewCauses = isEarlier;
  take.state.microphoneSilenceMs = 700;
  take.access.attach(capability('token-1'));
  await take.upload.run();
  expect(take.server.finished).toMatchObject(sent);
  expect(take.server.finished.slice(1)).toEqual(sent.slice(1));
});

test.for([
  { server: 'of this version', isEarlier: false, sent: [null] },
  { server: 'of an earlier version, which rejects null', isEarlier: true, sent: [null, 0] },
])('leaves a length that is not known to a server $server', async ({ isEarlier, sent }) => {
  const take = takeOf();
  take.server.rejectsNewCauses = isEarlier;
  take.state.durationMs = null;
  take.access.attach(capability('token-1'));
  await take.upload.run();
  expect(take.server.finished).toMatchObject(sent.map((durationMs) => ({ durationMs })));
  expect(take.upload.condition).toBe('idle');
});

test('splits a long upload into request bodies of the allowed size, one at a time', async () => {
  const take = takeOf({ audio: bytesOf(limits.appendSizeBytes * 2 + 5) });
  const sizes: number[] = [];
  take.server.fate = (call) => {
    if (call.method === 'PATCH' && call.path.includes(ids.audio)) sizes.push(call.body.length);
    return 'answered';
  };
  take.access.attach(capability('token-1'));
  await take.upload.run();
  expect(sizes).toEqual([limits.appendSizeBytes, limits.appendSizeBytes, 5]);
  expect(take.server.maxConcurrency).toBe(1);
});

test('delivers every byte once and in order, whatever the network does to any request', async () => {
  const anyFate = fc.constantFrom<Fate | 'error-500' | 'error-507' | 'proxy-page'>(
    'answered',
    'answered',
    'lost',
    'answer-lost',
    'error-500',
    'error-507',
    'proxy-page',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(anyFate, { maxLength: 25 }), async (fates) => {
      const take = takeOf({ audio: bytesOf(3000) });
      take.unsent.push({ id: ids.peaks, atMs: 5, label: 'a' });
      take.unsentNotes.push({ id: ids.audio, atMs: 7, text: 'a note' });
      take.server.fate = () => {
        const fate = fates.shift() ?? 'answered';
        if (fate === 'error-500') return problem(500, 'internal');
        if (fate === 'error-507') return problem(507, 'storage-full', { 'retry-after': '3' });
        return fate === 'proxy-page' ? new Response('<h1>Please log in to this Wi-Fi</h1>') : fate;
      };
      take.access.attach(capability('token-1'));
      await take.upload.run();
      expectWhole(take);
      expect(take.server.markers.get(ids.peaks)).toEqual({ atMs: 5, label: 'a' });
      expect([...take.server.notes]).toEqual([[ids.audio, { fromMs: 7, text: 'a note' }]]);
    }),
    { numRuns: 60 },
  );
});

test('refills a server that went back to a lower offset', async () => {
  const take = takeOf();
  let isRestored = false;
  take.server.fate = (call) => {
    const audio = take.server.stored('audio');
    if (!isRestored && audio && call.path.endsWith('/complete') && call.path.includes(ids.audio)) {
      isRestored = true;
      audio.bytes = audio.bytes.slice(0, 1200);
    }
    return 'answered';
  };
  take.access.attach(capability('token-1'));
  await take.upload.run();
  expect(isRestored).toBe(true);
  expectWhole(take);
});

test('sends nothing twice to a server that is ahead after a lost response or an earlier session', async () => {
  const take = takeOf({ epoch: 2 });
  take.server.uploads.set(ids.audio, {
    stream: 'audio',
    epoch: 1,
    bytes: take.state.audio.slice(0, 4000),
    sealed: false,
  });
  let sentBytes = 0;
  take.server.fate = (call) => {
    if (call.method === 'PATCH' && call.path.includes(ids.audio)) sentBytes += call.body.length;
    return 'answered';
  };
  take.access.attach(capability('token-1'));
  await take.upload.run();
  expectWhole(take);
  expect(sentBytes).toBe(1000);
});

test("accepts the server's longer copy when the device lost bytes that it had flushed and sent", async () => {
  const take = takeOf({ epoch: 2 });
  const whole = bytesOf(9000);
  take.server.uploads.set(ids.audio, { stream: 'audio', epoch: 1, bytes: whole, sealed: false });
  take.server.durationMs = 4321;
  take.access.attach(capability('token-1'));
  expect(await take.upload.run()).toBe(4321);
  expect(take.server.stored('audio')).toEqual({ stream: 'audio', epoch: 2, bytes: whole, sealed: true });
  expect(take.server.stored('peaks')?.sealed).toBe(true);
  expect(take.upload.condition).toBe('idle');
});

test("accepts the server's longer copy even if it was sealed, whatever the network does", async () => {
  const anyFate = fc.constantFrom<Fate | 'error-500'>('answered', 'lost', 'answer-lost', 'error-500');
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.array(anyFate, { maxLength: 15 }), async (sealed, fates) => {
      const take = takeOf({ epoch: 2 });
      take.server.uploads.set(ids.audio, { stream: 'audio', epoch: 1, bytes: bytesOf(9000), sealed });
      take.server.fate = () => {
        const fate = fates.shift() ?? 'answered';
        return fate === 'error-500' ? problem(500, 'internal') : fate;
      };
      take.access.attach(capability('token-1'));
      await take.upload.run();
      expect(take.server.stored('audio')).toMatchObject({ bytes: bytesOf(9000), sealed: true });
    }),
    { numRuns: 40 },
  );
});

test('uploads everything again to a server that lost the upload', async () => {
  const take = takeOf();
  let isLost = false;
  take.server.fate = (call) => {
    if (!isLost && call.path === `/api/uploads/${ids.audio}/complete`) {
      isLost = true;
      take.server.uploads.delete(ids.audio);
    }
    return 'answered';
  };
  take.access.attach(capability('token-1'));
  await take.upload.run();
  expect(isLost).toBe(true);
  expectWhole(take);
});

test('waits for a capability and reports it, then uploads from the first byte', async () => {
  const take = takeOf();
  const done = take.upload.run();
  await vi.waitFor(() => {
    expect(take.upload.condition).toBe('unattached');
  });
  expect(take.server.calls).toEqual([]);
  take.upload.nudge();
  expect(take.asked).toEqual(['none']);
  take.access.attach(capability('token-1'));
  await done;
  expectWhole(take);
});

test('requests a new capability once after a rejection, sends nothing meanwhile, and then continues', async () => {
  const take = takeOf();
  take.server.token = 'token-2';
  take.access.attach(capability('token-1'));
  const done = take.upload.run();
  await vi.waitFor(() => {
    expect(take.upload.condition).toBe('capability-rejected');
  });
  expect(take.asked).toEqual(['rejected']);
  const callsBefore = take.server.calls.length;
  await settle();
  expect(take.server.calls.length).toBe(callsBefore);
  take.access.attach(capability('token-2'));
  await done;
  expectWhole(take);
});

test('waits longer before each further request for a capability when the server rejects them all', async () => {
  const take = takeOf();
  take.server.token = 'never';
  let asked = 0;
  take.state.onSleep = () => {
    asked = take.asked.length;
  };
  const renew = setInterval(() => {
    if (take.asked.length > asked && take.asked.length < 6)
      take.access.attach(capability(`token-${take.asked.length}`));
  });
  take.access.attach(capability('token-0'));
  void take.upload.run();
  await expect.poll(() => take.slept.length).toBeGreaterThan(2);
  clearInterval(renew);
  expect(take.slept).toEqual(take.slept.toSorted((a, b) => a - b));
});

test('grows retry delays from 0.5 to 15 seconds and resets them after a success or a nudge', async () => {
  const take = takeOf();
  let failures = 0;
  take.server.fate = (call) => {
    if (!call.path.includes(ids.audio)) return 'answered';
    failures += 1;
    if (failures === 9) take.upload.nudge();
    return failures <= 10 ? 'lost' : 'answered';
  };
  const conditions = new Set<string>();
  take.state.onSleep = () => conditions.add(take.upload.condition);
  take.access.attach(capability('token-1'));
  await take.upload.run();
  // The nudge came during the ninth attempt, so the tenth followed immediately. The delay after that is the second
  // step again.
  expect(take.slept).toEqual([500, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000, 1000]);
  expect([...conditions]).toEqual(['offline']);
  expectWhole(take);
});

test('sends small bodies through a proxy that accepts only small ones', async () => {
  const take = takeOf({ audio: bytesOf(300_000) });
  let rejections = 0;
  take.server.fate = (call) => {
    if (call.body.length <= 100_000) return 'answered';
    rejections += 1;
    return new Response('too large', { status: 413 });
  };
  take.access.attach(capability('token-1'));
  await take.upload.run();
  expect(rejections).toBeGreaterThan(0);
  expect(rejections).toBeLessThan(10);
  expectWhole(take);
});

test('resends bytes damaged in transit', async () => {
  const take = takeOf();
  let damaged = 0;
  take.server.fate = (call) => {
    if (call.method !== 'PATCH' || damaged === 2) return 'answered';
    damaged += 1;
    call.body[0] = (call.body[0] ?? 0) ^ 1;
    return 'answered';
  };
  take.access.attach(capability('token-1'));
  await take.upload.run();
  expect(damaged).toBe(2);
  expectWhole(take);
});

test('changes nothing on the server after another writer took over, and retries at long intervals', async () => {
  const take = takeOf({ epoch: 1 });
  take.server.uploads.set(ids.audio, { stream: 'audio', epoch: 2, bytes: new Uint8Array(), sealed: false });
  take.access.attach(capability('token-1'));
  const running = take.upload.run();
  const longWaits = () => take.slept.filter((delayMs) => delayMs === 15_000).length;
  while (longWaits() < 3) await settle(1);
  expect(take.server.stored('audio')?.bytes.length).toBe(0);
  expect(take.upload.condition).toBe('server-trouble');
  take.server.uploads.set(ids.audio, { stream: 'audio', epoch: 1, bytes: new Uint8Array(), sealed: false });
  await running;
  expectWhole(take);
});

test('accepts a seal whose response was lost', async () => {
  const take = takeOf();
  take.server.uploads.set(ids.audio, { stream: 'audio', epoch: 1, bytes: take.state.audio, sealed: true });
  take.access.attach(capability('token-1'));
  await take.upload.run();
  expect(take.server.calls).not.toContain(`PATCH /api/uploads/${ids.audio}`);
  expectWhole(take);
});

test('checks and sends everything again when the finish request finds a receipted stream missing', async () => {
  const take = takeOf();
  let finishes = 0;
  take.server.fate = (call) => {
    if (!call.path.endsWith('/finish')) return 'answered';
    finishes += 1;
    const audio = take.server.stored('audio');
    if (finishes === 1 && audio) Object.assign(audio, { bytes: audio.bytes.slice(0, 10), sealed: false });
    return 'answered';
  };
  take.access.attach(capability('token-1'));
  await take.upload.run();
  expect(finishes).toBe(2);
  expectWhole(take);
});

test('finishes the recording despite a marker that can never be stored', async () => {
  const take = takeOf();
  take.unsent.push({ id: ids.audio, atMs: 5, label: 'rejected' }, { id: ids.peaks, atMs: 6, label: 'kept' });
  take.server.fate = (call) =>
    call.path.endsWith('/markers') && Buffer.from(call.body).includes('rejected')
      ? problem(422, 'validation')
      : 'answered';
  take.access.attach(capability('token-1'));
  await take.upload.run();
  expect([...take.server.markers.keys()]).toEqual([ids.peaks]);
  expectWhole(take);
});

const receiptOf = (uploadId: string, bytes: Uint8Array) => ({
  uploadId,
  lengthBytes: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
  storedAt: '2026-11-21T09:00:00.000Z',
});

test('completes a take that the server finished before its capability ended if the receipts match', async () => {
  const take = takeOf();
  take.server.token = 'token-2';
  take.access.attach(capability('token-1'));
  const done = take.upload.run();
  await vi.waitFor(() => {
    expect(take.asked).toEqual(['rejected']);
  });
  const receipts = [receiptOf(ids.audio, take.state.audio), receiptOf(ids.peaks, take.state.peaks)];
  expect(await take.upload.acceptStored({ durationMs: 4321, receipts })).toBe(true);
  expect(await done).toBe(4321);
  expect(take.upload.streams.map(({ offsetBytes }) => offsetBytes)).toEqual([5000, 300]);
});

test('accepts receipts for the same or more bytes, but not for fewer, for others or for fewer streams', async () => {
  const accepts = (change: (receipts: ReturnType<typeof receiptOf>[]) => ReturnType<typeof receiptOf>[]) => {
    const take = takeOf();
    return take.upload.acceptStored({
      durationMs: 1,
      receipts: change([receiptOf(ids.audio, take.state.audio), receiptOf(ids.peaks, take.state.peaks)]),
    });
  };
  expect(await accepts((receipts) => receipts.slice(0, 1))).toBe(false);
  expect(await accepts(([, peaks]) => [receiptOf(ids.audio, bytesOf(4999)), ...(peaks ? [peaks] : [])])).toBe(
    false,
  );
  expect(
    await accepts(([, peaks]) => [receiptOf(ids.audio, bytesOf(5000, 9)), ...(peaks ? [peaks] : [])]),
  ).toBe(false);
  expect(await accepts(([, peaks]) => [receiptOf(ids.audio, bytesOf(9000)), ...(peaks ? [peaks] : [])])).toBe(
    true,
  );
});

test('does not complete a running take by receipts', async () => {
  const take = takeOf({ isSealed: false });
  expect(
    await take.upload.acceptStored({
      durationMs: 1,
      receipts: [receiptOf(ids.audio, take.state.audio), receiptOf(ids.peaks, take.state.peaks)],
    }),
  ).toBe(false);
});

test('sends nothing of a continued take before it has the capability of the reopened recording', async () => {
  const take = takeOf({ goesOn: true });
  const done = take.upload.run();
  await settle();
  expect([take.state.reopened, take.server.calls]).toEqual([0, []]);
  take.access.attach(capability('token-1'));
  await done;
  expect(take.state.reopened).toBe(1);
  expectWhole(take);
});

const passageOf = (): TakePassage => ({
  id: '0190f000-0000-7000-8000-00000000000c',
  atMs: 100,
  toMs: null,
  stored: null,
});

test('S42: sends the start of a passage before any byte, however often it fails, and the bytes then', async () => {
  const take = takeOf();
  take.passages.push(passageOf());
  let failures = 5;
  const passagesAtAppend: number[] = [];
  const conditions: string[] = [];
  take.server.fate = ({ path, method }) => {
    if (method === 'PATCH') passagesAtAppend.push(take.server.passages.size);
    if (!path.includes('/passages/') || failures === 0) return 'answered';
    failures -= 1;
    conditions.push(take.upload.condition);
    return failures % 2 === 0 ? 'lost' : problem(503, 'unavailable');
  };
  take.access.attach(capability('token-1'));
  await take.upload.run();
  expectWhole(take);
  expect(failures).toBe(0);
  expect(passagesAtAppend.every((count) => count === 1)).toBe(true);
  expect(conditions).not.toContain('idle');
  expect(take.passages[0]?.stored).toMatchObject({ fromMs: 90, toMs: null });
});

test('S42: sends nothing that was recorded after the press while the passage is not confirmed', async () => {
  const take = takeOf({ isSealed: false, audio: bytesOf(1000), peaks: bytesOf(100, 2) });
  take.access.attach(capability('token-1'));
  const run = take.upload.run();
  await vi.waitFor(() => {
    expect(take.server.stored('audio')?.bytes.length).toBe(1000);
  });
  take.server.fate = ({ path }) => (path.includes('/passages/') ? 'lost' : 'answered');
  take.passages.push(passageOf());
  take.state.audio = bytesOf(2000);
  take.upload.wake();
  await vi.waitFor(() => {
    expect(take.upload.condition).toBe('offline');
  });
  await settle(400);
  expect(take.server.stored('audio')?.bytes.length).toBe(1000);
  take.server.fate = () => 'answered';
  take.upload.nudge();
  await vi.waitFor(() => {
    expect(take.server.stored('audio')?.bytes.length).toBe(2000);
  });
  expect(take.server.passages.size).toBe(1);
  take.state.isSealed = true;
  take.upload.wake();
  await run;
  expectWhole(take);
});

describe.each([
  {
    loss: 'confirmed bytes',
    lose: ({ server }: Take) => {
      const audio = server.stored('audio');
      if (audio) audio.bytes = audio.bytes.slice(0, 400);
    },
  },
  { loss: 'a whole upload', lose: ({ server }: Take) => server.uploads.delete(ids.audio) },
])('a server that lost $loss with all labels, as a standby that took over', ({ lose }) => {
  const loseAll = (take: Take): void => {
    lose(take);
    for (const labels of [take.server.markers, take.server.notes, take.server.passages]) labels.clear();
  };
  const takeWithLabels = (isSealed: boolean): Take => {
    const take = takeOf({ isSealed, audio: bytesOf(1000), peaks: bytesOf(100, 2) });
    take.unsent.push({ id: ids.peaks, atMs: 5, label: 'a' });
    take.unsentNotes.push({ id: ids.audio, atMs: 7, text: 'a note' });
    take.passages.push(passageOf());
    take.access.attach(capability('token-1'));
    return take;
  };
  const expectLabels = ({ server }: Take): void => {
    expect(server.markers.size).toBe(1);
    expect(server.notes.size).toBe(1);
    expect(server.passages.size).toBe(1);
  };

  test('gets them again while the take runs, and no byte before the passage', async () => {
    const take = takeWithLabels(false);
    const run = take.upload.run();
    await vi.waitFor(() => {
      expectLabels(take);
      expect(take.server.stored('audio')?.bytes.length).toBe(1000);
    });
    loseAll(take);
    const passagesAtAppend: number[] = [];
    let isLossKnown = false;
    take.server.fate = ({ method, path }) => {
      if (path.includes('/passages/')) isLossKnown = true;
      if (method === 'PATCH' && isLossKnown) passagesAtAppend.push(take.server.passages.size);
      return 'answered';
    };
    take.state.audio = bytesOf(2000);
    take.upload.wake();
    await vi.waitFor(() => {
      expectLabels(take);
      expect(take.server.stored('audio')?.bytes.length).toBe(2000);
    });
    expect(passagesAtAppend.length).toBeGreaterThan(0);
    expect(passagesAtAppend).not.toContain(0);
    take.state.isSealed = true;
    take.upload.wake();
    await run;
    expectWhole(take);
  });

  test('gets them again before the take is finished', async () => {
    const take = takeWithLabels(true);
    let isLost = false;
    take.server.fate = ({ path }) => {
      if (!isLost && path.endsWith('/complete') && path.includes(ids.audio)) {
        isLost = true;
        loseAll(take);
      }
      return 'answered';
    };
    await take.upload.run();
    expect(isLost).toBe(true);
    expectLabels(take);
    expectWhole(take);
  });
});

test('a passage that the server rejects for good does not keep the recording on the device', async () => {
  const take = takeOf();
  take.passages.push(passageOf());
  take.server.fate = ({ path }) => (path.includes('/passages/') ? problem(422, 'validation') : 'answered');
  take.access.attach(capability('token-1'));
  await take.upload.run();
  expectWhole(take);
  expect(take.passages[0]?.stored).toBe('rejected');
});
