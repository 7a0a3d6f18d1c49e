import { second } from '#base/duration.ts';
import type { InterruptionCause } from './interruption.ts';
import type { Microphone } from './microphone.ts';

/** A shorter silence from the system (a route change, a notification) heals by itself. */
const longestMuteMs = second;

/**
 * Tells once when a microphone or its audio context gives no more sound: unplugged or forbidden (`ended`),
 * held by the system for longer than a second (`mute`: a call), or the context broke, froze or was closed.
 * Returns a way to stop listening.
 */
export function watchPipeline(
  { microphone, context }: { microphone: Pick<Microphone, 'stream'>; context: AudioContext | null },
  onLost: (cause: InterruptionCause) => void,
): () => void {
  const watching = new AbortController();
  const { signal } = watching;
  let muted: ReturnType<typeof setTimeout> | undefined;
  const stop = () => {
    clearTimeout(muted);
    watching.abort();
  };
  const lose = (cause: InterruptionCause) => {
    if (signal.aborted) return;
    stop();
    onLost(cause);
  };
  for (const track of microphone.stream.getAudioTracks()) {
    track.addEventListener(
      'ended',
      () => {
        lose('microphone-lost');
      },
      { signal },
    );
    track.addEventListener(
      'mute',
      () => {
        muted ??= setTimeout(() => {
          lose('interrupted');
        }, longestMuteMs);
      },
      { signal },
    );
    track.addEventListener(
      'unmute',
      () => {
        clearTimeout(muted);
        muted = undefined;
      },
      { signal },
    );
  }
  context?.addEventListener(
    'error',
    () => {
      lose('interrupted');
    },
    { signal },
  );
  context?.addEventListener(
    'statechange',
    () => {
      if (context.state !== 'running') lose('interrupted');
    },
    { signal },
  );
  return stop;
}
