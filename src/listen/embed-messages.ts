import { second } from '#base/duration.ts';
import type { Playback } from './playback.ts';

/** The first word of every message, in both directions. */
const sender = 'earshot';

/** A message of the page around the player: `seek` has a number of seconds, the others nothing. */
export type EmbedCommand = { type: 'play' } | { type: 'pause' } | { type: 'seek'; seconds: number };

/** Reads a message from another page; null for everything that is not a command. */
export function embedCommandOf(data: unknown): EmbedCommand | null {
  if (typeof data !== 'object' || data === null || !('source' in data) || data.source !== sender) return null;
  const type = 'type' in data ? data.type : null;
  if (type === 'play' || type === 'pause') return { type };
  const seconds = 'seconds' in data ? data.seconds : null;
  return type === 'seek' && typeof seconds === 'number' && Number.isFinite(seconds)
    ? { type, seconds }
    : null;
}

const states = { failed: 'failed', waiting: 'waiting', playing: 'playing', paused: 'paused' } as const;

function stateOf(playback: Playback): keyof typeof states {
  if (playback.isFailed || playback.isUnplayable) return 'failed';
  if (!playback.isRunning) return 'paused';
  return playback.isWaiting ? 'waiting' : 'playing';
}

/**
 * Connects the embedded player with the page around it: `ready`, `time`, `state` and `height` go out, `play`,
 * `pause` and `seek` come in. Messages hold numbers and states only, and the policy allows no other page around it
 * (`frame-ancestors`), so the target of outgoing messages is open.
 * @param options.origins whose pages may send commands; null: any
 * @returns a function that reports changes of playback
 */
export function connectEmbed(
  playback: Playback,
  { origins }: { origins: readonly string[] | null },
): () => void {
  const send = (message: Record<string, string | number>) =>
    parent.postMessage({ source: sender, ...message }, '*');
  addEventListener('message', ({ source, origin, data }: MessageEvent<unknown>) => {
    const command = source === parent && (origins?.includes(origin) ?? true) ? embedCommandOf(data) : null;
    if (command?.type === 'play') playback.play();
    if (command?.type === 'pause') playback.pause();
    if (command?.type === 'seek') playback.seek(command.seconds * second);
  });
  new ResizeObserver(() => {
    send({ type: 'height', pixels: Math.ceil(document.documentElement.getBoundingClientRect().height) });
  }).observe(document.documentElement);
  send({ type: 'ready', seconds: playback.durationMs / second });
  let [lastState, lastSecond] = ['', -1];
  return () => {
    const [state, at] = [stateOf(playback), Math.floor(playback.positionMs / second)];
    if (at !== lastSecond) send({ type: 'time', seconds: playback.positionMs / second });
    if (state !== lastState) send({ type: 'state', state });
    [lastState, lastSecond] = [state, at];
  };
}
