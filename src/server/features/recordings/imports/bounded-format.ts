import { nearestWithin } from '#base/numbers/untrusted-numbers.ts';
import type { Format } from '#contract/formats.ts';

/** A format with the numbers of a file in it, none of them beyond what a format may have. */
export const boundedFormat = ({ sampleRateHz, channels, ...format }: Format): Format => ({
  ...format,
  sampleRateHz: nearestWithin(sampleRateHz, { least: 1000, most: 768_000 }),
  channels: nearestWithin(channels, { least: 1, most: 8 }),
});
