import type { Label } from '#base/labels/label.ts';
import { limits } from '#contract/limits.ts';

/**
 * A character takes six bytes at most in JSON, where it is written as an escape, and a label with its id and
 * places fewer than these without its text.
 */
const characterBytes = 6;
const aroundTextBytes = 200;

const bytesOf = ({ text }: Label): number => text.length * characterBytes + aroundTextBytes;

/** Labels as one call takes them each: no more, and no longer, in their order. */
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
