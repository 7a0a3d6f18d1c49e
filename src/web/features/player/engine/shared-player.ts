import { second } from '#base/duration.ts';
import { judgeByProbe } from '#playback/judge-by-probe.ts';
import { connectMediaSession, setMediaAction } from '#playback/media-session.ts';
import { PlaybackRules } from '#playback/playback-rules.ts';
import { Player } from '#playback/player.ts';
import { deviceTakes } from '#device/takes/device-takes.ts';
import { userScope } from '#web/api/user-scope.ts';
import { readText, writeText } from '#device/site-data/text-store.ts';
import { onReachableAgain } from '#web/api/connection/connection.ts';
import { request } from '#web/api/request.ts';
import { Boost } from './boost.ts';

/** Reads a preference of this browser. If storage is blocked, a preference lasts until the page closes. */
const read = (key: string): string | null => readText('localStorage', key);
const write = (key: string, value: string): void => {
  writeText('localStorage', key, value);
};

/** The stored volume, 0 to 1. */
const storedVolume = {
  read(): number {
    const stored = Number.parseFloat(read('volume') ?? '');
    return stored >= 0 && stored <= 1 ? stored : 1;
  },
  write: (volume: number): void => write('volume', String(volume)),
};

/** The stored choice whether playback skips gaps (the default) or plays them as silence. */
const storedGapChoice = {
  read: (): boolean => read('gaps') !== 'silence',
  write: (skipsGaps: boolean): void => write('gaps', skipsGaps ? 'skip' : 'silence'),
};

/** The gain of the page's player. */
export const boost = new Boost();

/** The only player of the page. */
export const player = new Player({
  createElement: () => boost.attach(new Audio()),
  judgeError: judgeByProbe(
    async (url, atByte) => (await request(url, { headers: { range: `bytes=${atByte}-${atByte + 1}` } })).ok,
  ),
  requestFrame: (callback) => requestAnimationFrame(callback),
  nowMs: () => performance.now(),
  volume: storedVolume,
  rules: new PlaybackRules(storedGapChoice),
});

connectMediaSession(player, player, { skipMs: 10 * second, artist: 'Earshot' });
setMediaAction('stop', () => player.close());
onReachableAgain(() => player.nudge());

// A recording of an account stops when the session ends. An unclaimed take on this device continues.
userScope.onSessionEnd(() => {
  const { track } = player.getSnapshot();
  const take = deviceTakes.getSnapshot().takes.find(({ id }) => id === track?.id);
  if (track && take?.facts.owner !== 'nobody') player.close();
});

/** The page's player in the shape that a waveform needs. */
export const sharedPlayhead = {
  positionMs: () => player.positionMs(),
  seek: (toMs: number) => player.seek(toMs),
  subscribe: player.subscribe,
  isRunning: () => player.getSnapshot().status === 'playing',
};
