import type { AfterError, FailedLoad } from './audio-element.ts';

const mediaErrorDecode = 3;

/** The approximate byte offset of a moment in the track's file. */
function byteAt({ track, atMs, durationMs }: FailedLoad): number {
  const share = durationMs > 0 ? atMs / durationMs : 0;
  return Math.floor(Math.min(share, 0.99) * track.sizeBytes);
}

/**
 * Decides what follows a load that failed: one more load if two bytes can be requested, otherwise further attempts. No
 * attempt helps bytes that arrived but can't be decoded, or that are on this device.
 * @param probe requests two bytes at an offset; resolves to true if the request succeeds
 */
export const judgeByProbe =
  (probe: (url: string, atByte: number) => Promise<boolean>) =>
  (error: FailedLoad): AfterError | Promise<AfterError> => {
    const { code, track, isRepeated } = error;
    if (code === mediaErrorDecode || track.url.startsWith('blob:')) return 'unplayable';
    if (isRepeated) return 'later';
    return probe(track.url, byteAt(error)).then(
      (isReachable) => (isReachable ? 'again' : 'later'),
      () => 'later',
    );
  };
