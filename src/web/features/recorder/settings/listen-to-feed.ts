import type { PcmBlock } from '#workers/capture/messages.ts';
import type { PcmFeed } from '#workers/take/messages.ts';
import { readTrack } from '#workers/take/capture/capture-input.ts';

/** Calls `onBlock` with every block of audio. Returns a function that stops this. */
export function listenToFeed(
  pcm: PcmFeed | null,
  onBlock: (channels: readonly Float32Array[]) => void,
): () => void {
  if (pcm === null) return () => {};
  if ('getReader' in pcm)
    return readTrack(pcm, ({ channels }) => {
      onBlock(channels);
    });
  const onMessage = ({ data }: MessageEvent<PcmBlock>) => {
    onBlock(data.channels);
  };
  pcm.addEventListener('message', onMessage);
  pcm.start();
  return () => {
    pcm.removeEventListener('message', onMessage);
  };
}
