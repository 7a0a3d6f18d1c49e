import type { Label } from '#base/labels/label.ts';
import { limits } from '#contract/limits.ts';

/**
 * In JSON a character takes at most six bytes, as an escape. The id and times of a label take fewer than
 * `aroundTextBytes`.
 */
const characterBytes = 6;
const aroundTextBytes = 200;

const bytesOf = ({ text }: Label): number => text.length * characterBytes + aroundTextBytes;

/** Splits labels into batches that fit the count and size limits of one request, in their order. */
export function inPieces(labels: readonly Label[]): Label[][] {
  const pieces: Label[][] = [];
  let leftBytes = 0;
  for (const label of labels) {
    const last = pieces.at(-1);
    leftBytes -= bytesOf(label);
    if (last !== undefined && leftBytes >= 0 && last.length < limits.labelsTogether) last.push(label);
    else {
      pieces.push([label]);
      leftBytes = limits.bulkBodySizeBytes - bytesOf(label) - aroundTextBytes;
    }
  }
  return pieces;
}
