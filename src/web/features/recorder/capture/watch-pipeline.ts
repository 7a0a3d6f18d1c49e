import { second } from '#base/duration.ts';
import type { InterruptionCause } from './interruption.ts';
import type { CaptureGraph } from './capture-graph.ts';
import type { Microphone } from './microphone.ts';

/** A shorter mute by the system (a route change, a notification) ends without our help. */
const maxMuteMs = second;

/**
 * Calls `onLost` once when a microphone or its audio context stops delivering: unplugged or permission withdrawn
 * (`ended`), muted by the system for longer than a second (a call), the context failed, was suspended or closed, or
 * the worklet failed. Returns a function that stops watching.
 */
export function watchPipeline(
  {
    microphone,
    graph,
  }: {
    microphone: Pick<Microphone, 'stream'>;
    graph: Pick<CaptureGraph, 'context' | 'worklet'> | null;
  },
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
        }, maxMuteMs);
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
  const interrupt = () => {
    lose('interrupted');
  };
  graph?.worklet.addEventListener('processorerror', interrupt, { signal });
  graph?.context.addEventListener('error', interrupt, { signal });
  graph?.context.addEventListener(
    'statechange',
    () => {
      if (graph.context.state !== 'running') interrupt();
    },
    { signal },
  );
  return stop;
}
