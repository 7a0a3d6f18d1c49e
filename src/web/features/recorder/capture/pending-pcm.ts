import { type CaptureGraph, closeContext, openCaptureGraph } from './capture-graph.ts';
import type { Microphone } from './microphone.ts';
import type { OpeningTrackFeed, TrackFeed } from './track-feed.ts';

/** PCM of a microphone, from the track or from the worklet. */
export type Pcm = { kind: 'track'; feed: TrackFeed } | { kind: 'graph'; graph: CaptureGraph };

/** PCM that has not arrived yet. `pcm` resolves with null if it never will. */
export interface PendingPcm {
  pcm: Promise<Pcm | null>;
  close: () => void;
}

/**
 * The recorder has what was captured before. A worker could not tell its age either, because it arrives all at once.
 */
export function withoutOldBlocks(pcm: Pcm): Pcm {
  return pcm.kind === 'graph' ? { ...pcm, graph: { ...pcm.graph, pcm: pcm.graph.reconnect() } } : pcm;
}

export function closePcm(pcm: Pcm): void {
  if (pcm.kind === 'graph') {
    pcm.graph.close();
    return;
  }
  pcm.feed.first.close();
  if ('getReader' in pcm.feed.pcm) void pcm.feed.pcm.cancel().catch(() => undefined);
}

export function pendingGraph(context: AudioContext, microphone: Microphone): PendingPcm {
  return {
    pcm: openCaptureGraph(context, microphone).then(
      (graph) => ({ kind: 'graph', graph }),
      () => null,
    ),
    close: () => closeContext(context),
  };
}

export function pendingTrack(track: OpeningTrackFeed): PendingPcm {
  return {
    pcm: track.feed.then((feed) => (feed === null ? null : { kind: 'track', feed })),
    close: track.close,
  };
}

/** The one of two that arrives first; the other one is closed. */
export function firstOf(one: PendingPcm, other: PendingPcm): PendingPcm {
  const { promise, resolve } = Promise.withResolvers<Pcm | null>();
  let left = 2;
  let hasArrived = false;
  const follow = async (followed: PendingPcm, competitor: PendingPcm) => {
    const pcm = await followed.pcm;
    left -= 1;
    if (pcm !== null && hasArrived) closePcm(pcm);
    else if (pcm !== null) {
      hasArrived = true;
      resolve(pcm);
      competitor.close();
    } else if (left === 0) resolve(null);
  };
  void follow(one, other);
  void follow(other, one);
  return {
    pcm: promise,
    close: () => {
      one.close();
      other.close();
    },
  };
}

/** The result of a promise; undefined if it takes longer. */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  const { promise: tooLate, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), ms);
  try {
    return await Promise.race([promise, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
