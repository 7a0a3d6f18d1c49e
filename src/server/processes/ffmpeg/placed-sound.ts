import { second } from '#base/duration.ts';

/**
 * ffmpeg's filters that place sound on its time line, for everything that reads sound alike: time runs from
 * the first sound and never backwards. Several streams in a row are one after the other, and silence keeps
 * the place of sound that timestamps leave out.
 * @param latestMs no timestamp is believed that is later; 0 believes none, and all sound is one piece
 */
export function placedSound({ latestMs, sampleRateHz }: { latestMs: number; sampleRateHz: number }): string {
  const placed = `st(1,max(min(PTS-STARTPTS,${latestMs / second}/TB),ld(0)));st(0,ld(1)+NB_SAMPLES/SR/TB);ld(1)`;
  return `asetpts='${placed}',aresample=${sampleRateHz}:async=1`;
}
