import { i18n } from '@lingui/core';
import { beforeEach, expect, test, vi } from 'vitest';

/** Error responses by recording id, instead of a recording. */
const failures = new Map<string, { code: string; status: number }>();
const shownErrors: string[] = [];

vi.mock('#web/api/call.ts', () => ({
  call: async (_name: string, { params: { recordingId } }: { params: { recordingId: string } }) => {
    const { ApiError } = await import('#web/api/api-error.ts');
    const failure = failures.get(recordingId);
    if (failure) throw new ApiError({ ...failure, problem: null });
    return {
      title: recordingId,
      durationMs: 60_000,
      sizeBytes: 1,
      gaps: [],
      state: 'ready',
      source: 'microphone',
      format: { container: 'ogg', codec: 'opus', sampleRateHz: 48_000, channels: 1 },
      audioTracks: [],
      channelNames: [],
      quieterByDb: null,
    };
  },
  urlOf: (_name: string, { params: { recordingId } }: { params: { recordingId: string } }) =>
    `/audio/${recordingId}`,
  callForBytes: () => Promise.reject(new Error('no peaks in this test')),
}));
vi.mock('#web/ui/overlays/toast.tsx', () => ({
  showFailure: (message: () => string) => {
    shownErrors.push(message());
  },
}));

class FakeAudio extends EventTarget {
  paused = true;
  ended = false;
  readyState = 4;
  duration = 60;
  currentTime = 0;
  error: { code: number } | null = null;
  play(): Promise<void> {
    this.paused = false;
    this.dispatchEvent(new Event('play'));
    return Promise.resolve();
  }
  pause(): void {
    this.paused = true;
  }
  load(): void {
    [this.paused, this.ended, this.currentTime] = [true, false, 0];
  }
  end(): void {
    [this.currentTime, this.ended, this.paused] = [60, true, true];
    this.dispatchEvent(new Event('pause'));
    this.dispatchEvent(new Event('ended'));
  }
  fail(): void {
    this.error = { code: 2 };
    this.dispatchEvent(new Event('error'));
  }
}

const item = (id: string, isOnServer = true) => ({ id, title: id, durationMs: 60_000, isOnServer });
const settled = () =>
  new Promise((resolve) => {
    setTimeout(resolve, 20);
  });

async function setUp() {
  vi.resetModules();
  const audio = new FakeAudio();
  vi.stubGlobal('Audio', function Audio() {
    return audio;
  });
  vi.stubGlobal('requestAnimationFrame', () => 0);
  vi.stubGlobal('location', { pathname: '/library', hash: '' });
  const { sleepTimer } = await import('./shared-sleep-timer.ts');
  const { player } = await import('#web/features/player/engine/shared-player.ts');
  const queue = () => import('./queue-player.ts');
  return { audio, sleepTimer, player, queue };
}

/** Plays one recording and queues the others. */
async function playing(first: string, ...waiting: string[]) {
  const tools = await setUp();
  const { enqueue, playQueue } = await tools.queue();
  for (const id of [first, ...waiting]) await enqueue(item(id), 'last');
  const state = () => ({
    heard: tools.player.getSnapshot().track?.id ?? null,
    waits: playQueue
      .getSnapshot()
      .map(({ id }) => id)
      .join(''),
    isSilent: tools.audio.paused,
  });
  return { ...tools, enqueue, state };
}

beforeEach(() => {
  i18n.loadAndActivate({ locale: 'en', messages: {} });
  failures.clear();
  shownErrors.length = 0;
});

test('plays the next recording when one ends, and skips recordings that no longer exist', async () => {
  failures.set('b', { code: 'not-found', status: 404 });
  const { audio, state } = await playing('a', 'b', 'c', 'd');
  expect(state()).toEqual({ heard: 'a', waits: 'bcd', isSilent: false });
  audio.end();
  await settled();
  expect(state()).toEqual({ heard: 'c', waits: 'd', isSilent: false });
  expect(shownErrors).toEqual([]);
});

test("keeps the queue and shows an error when the server can't be reached", async () => {
  const { audio, state, enqueue } = await playing('a', 'b', 'c');
  for (const id of ['b', 'c', 'd']) failures.set(id, { code: 'offline', status: 0 });
  audio.end();
  await settled();
  await enqueue(item('d'), 'next');
  expect(state()).toEqual({ heard: 'a', waits: 'dbc', isSilent: true });
  expect(shownErrors).toHaveLength(1);
});

test.each(['before', 'after'])(
  'a sleep timer set %s the queue loads stops playback at the end of the recording',
  async (when) => {
    const tools = await setUp();
    if (when === 'before') tools.sleepTimer.set('end');
    const { enqueue, playQueue } = await tools.queue();
    if (when === 'after') tools.sleepTimer.set('end');
    await enqueue(item('a'), 'last');
    await enqueue(item('b'), 'last');
    tools.audio.end();
    await settled();
    expect([
      tools.player.getSnapshot().track?.id,
      tools.audio.paused,
      playQueue.getSnapshot().length,
      tools.sleepTimer.getSnapshot().choice,
    ]).toEqual(['a', true, 1, 'off']);
  },
);

test('starts no playback while recording', async () => {
  const tools = await setUp();
  const prompt = await import('#web/api/sign-in-prompt.ts');
  prompt.holdSignInBack(true);
  const { enqueue, playQueue } = await tools.queue();
  await enqueue(item('a'), 'next');
  expect([tools.player.getSnapshot().track, tools.audio.paused, playQueue.getSnapshot().length]).toEqual([
    null,
    true,
    1,
  ]);
});

test('plays the first of two recordings added at the same time to an empty player, and queues the second', async () => {
  const { player, queue } = await setUp();
  const { enqueue, playQueue } = await queue();
  await Promise.all([enqueue(item('a'), 'next'), enqueue(item('b'), 'next')]);
  expect([player.getSnapshot().track?.id, playQueue.getSnapshot().map(({ id }) => id)]).toEqual(['a', ['b']]);
});

const fileOf = async (id: string) => ({
  track: {
    id,
    url: `blob:${id}`,
    sections: null,
    title: id,
    durationMs: 60_000,
    sizeBytes: 1,
    gaps: [],
    growing: false,
  },
  peaks: (await import('#web/features/player/peaks/server-peaks.ts')).serverPeaks(id),
});

test('plays a recording that only this device has from its files, without a request', async () => {
  const { player, queue } = await setUp();
  failures.set('a', { code: 'session-required', status: 401 });
  const { playFromDevice, playNow } = await queue();
  playFromDevice(async (id) => fileOf(id));
  await playNow(item('a', false));
  expect([player.getSnapshot().track?.url, shownErrors]).toEqual(['blob:a', []]);
});

test('continues from the server if a copy on this device is removed while it plays', async () => {
  const { audio, player, queue } = await setUp();
  const { playFromDevice, playNow } = await queue();
  playFromDevice(async (id) => fileOf(id));
  await playNow(item('a', false));
  audio.fail();
  await settled();
  expect(player.getSnapshot()).toMatchObject({ failure: null, track: { url: '/audio/a' } });

  // Without one on the server, the failure is shown.
  failures.set('b', { code: 'not-found', status: 404 });
  await playNow(item('b', false));
  audio.fail();
  await settled();
  expect(player.getSnapshot()).toMatchObject({ status: 'failed', track: { url: 'blob:b' } });
});

test("plays copies on this device while the server can't be reached, and rejects recordings without one", async () => {
  const { player, queue } = await setUp();
  for (const id of ['a', 'b', 'c'])
    failures.set(id, { code: id === 'c' ? 'forbidden' : 'offline', status: id === 'c' ? 403 : 0 });
  const { playFromDevice, playNow } = await queue();
  playFromDevice(async (id) => (id === 'b' ? null : await fileOf(id)));
  await playNow(item('a'));
  expect([player.getSnapshot().track?.url, shownErrors]).toEqual(['blob:a', []]);
  await playNow(item('b'));
  // The server responded, so a copy must not override its response.
  await playNow(item('c'));
  expect([player.getSnapshot().track?.url, shownErrors.length]).toEqual(['blob:a', 2]);
});

test('plays a take from its files while the server has only a part of it, or else from the server', async () => {
  const { player, queue } = await setUp();
  const { playFromDevice, playNow } = await queue();
  const url = () => player.getSnapshot().track?.url;
  const takesMs: Record<string, number> = { a: 90_000, b: 60_000 };
  playFromDevice(async (id, server) => {
    if (id === 'c') throw new Error('the files can’t be read');
    return server && server.durationMs < (takesMs[id] ?? 0) ? fileOf(id) : null;
  });
  await playNow(item('a'));
  expect(url()).toBe('blob:a');
  await playNow(item('b'));
  expect(url()).toBe('/audio/b');
  await playNow(item('c'));
  expect([url(), shownErrors]).toEqual(['/audio/c', []]);
});

test('plays a recording that only this device had when it was queued from the server', async () => {
  const { player, queue } = await setUp();
  const { userScope } = await import('#web/api/user-scope.ts');
  const { playNow } = await queue();
  await playNow(item('a', false));
  expect(player.getSnapshot().track).toBeNull();
  userScope.follow('anna', false);
  await playNow(item('a', false));
  expect(player.getSnapshot().track?.url).toBe('/audio/a');
});

test('releases the files of a recording when another is loaded, or immediately if it was not loaded', async () => {
  const { queue } = await setUp();
  const { playFromDevice, playFromQueue, playNow, playQueue } = await queue();
  const released: string[] = [];
  let whileOpening = () => {};
  playFromDevice(async (id) => {
    whileOpening();
    return { ...(await fileOf(id)), release: () => released.push(id) };
  });
  await playNow(item('a', false));
  expect(released).toEqual([]);
  await playNow(item('b', false));
  expect(released).toEqual(['a']);
  playQueue.add(item('c', false));
  whileOpening = () => playQueue.remove('c');
  await playFromQueue('c');
  expect(released).toEqual(['a', 'c']);
});
