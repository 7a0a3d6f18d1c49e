import { i18n } from '@lingui/core';
import { beforeEach, expect, test, vi } from 'vitest';

/** What the server answers instead of a recording. */
const failures = new Map<string, { code: string; status: number }>();
const said: string[] = [];

vi.mock('#web/api/call.ts', () => ({
  call: async (_name: string, { params: { recordingId } }: { params: { recordingId: string } }) => {
    const { ApiError } = await import('#web/api/api-error.ts');
    const failure = failures.get(recordingId);
    if (failure) throw new ApiError({ ...failure, problem: null });
    return { title: recordingId, durationMs: 60_000, sizeBytes: 1, gaps: [], state: 'ready' };
  },
  urlOf: (_name: string, { params: { recordingId } }: { params: { recordingId: string } }) =>
    `/audio/${recordingId}`,
  callForBytes: () => Promise.reject(new Error('no peaks here')),
}));
vi.mock('#web/ui/overlays/toast.tsx', () => ({
  showFailure: (message: () => string) => {
    said.push(message());
  },
}));

class FakeAudio extends EventTarget {
  paused = true;
  ended = false;
  readyState = 4;
  duration = 60;
  currentTime = 0;
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

/** One that plays, and others that wait. */
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
  said.length = 0;
});

test('what waits is played when the one before it ends, and what is no longer there gives way to the next', async () => {
  failures.set('b', { code: 'not-found', status: 404 });
  const { audio, state } = await playing('a', 'b', 'c', 'd');
  expect(state()).toEqual({ heard: 'a', waits: 'bcd', isSilent: false });
  audio.end();
  await settled();
  expect(state()).toEqual({ heard: 'c', waits: 'd', isSilent: false });
  expect(said).toEqual([]);
});

test('a server that cannot be asked takes nothing out of the queue, and that is said', async () => {
  const { audio, state, enqueue } = await playing('a', 'b', 'c');
  for (const id of ['b', 'c', 'd']) failures.set(id, { code: 'offline', status: 0 });
  audio.end();
  await settled();
  await enqueue(item('d'), 'next');
  expect(state()).toEqual({ heard: 'a', waits: 'dbc', isSilent: true });
  expect(said).toHaveLength(1);
});

test.each(['before', 'after'])(
  'a sleep timer that was set %s the queue came ends the sound at the end of the recording',
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

test('nothing begins to sound while a take runs', async () => {
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

test('of two that are put into an empty player on one beat the first is played, and the second waits', async () => {
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

test('what only this device has is played from its files, and the server is not asked', async () => {
  const { player, queue } = await setUp();
  failures.set('a', { code: 'session-required', status: 401 });
  const { playFromDevice, playNow } = await queue();
  playFromDevice(async (id) => fileOf(id));
  await playNow(item('a', false));
  expect([player.getSnapshot().track?.url, said]).toEqual(['blob:a', []]);
});

test('while the server can’t be reached its recordings are played from the copy on this device, and only those without one are refused', async () => {
  const { player, queue } = await setUp();
  for (const id of ['a', 'b', 'c'])
    failures.set(id, { code: id === 'c' ? 'forbidden' : 'offline', status: id === 'c' ? 403 : 0 });
  const { playFromDevice, playNow } = await queue();
  playFromDevice(async (id) => (id === 'b' ? null : await fileOf(id)));
  await playNow(item('a'));
  expect([player.getSnapshot().track?.url, said]).toEqual(['blob:a', []]);
  await playNow(item('b'));
  // The server answered: a copy doesn't overrule it.
  await playNow(item('c'));
  expect([player.getSnapshot().track?.url, said.length]).toEqual(['blob:a', 2]);
});

test('the files of a recording are given back once another one is in the player, and at once where it was not loaded', async () => {
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
