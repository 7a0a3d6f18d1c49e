import { second } from '#base/duration.ts';

/**
 * Returns ffmpeg's filters that place audio on its timeline, shared by everything that reads audio. Time starts
 * with the first audio and never runs backwards. Consecutive streams follow each other, and silence fills gaps in
 * the timestamps.
 * @param latestMs later timestamps are ignored; 0 ignores all, and the audio is one piece
 */
export function placedSound({ latestMs, sampleRateHz }: { latestMs: number; sampleRateHz: number }): string {
  const placed = `st(1,max(min(PTS-STARTPTS,${latestMs / second}/TB),ld(0)));st(0,ld(1)+NB_SAMPLES/SR/TB);ld(1)`;
  return `asetpts='${placed}',aresample=${sampleRateHz}:async=1`;
}
