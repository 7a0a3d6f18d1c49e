import { latinDigits } from '#base/text.ts';

/**
 * Reads a whole number as a user types it, in the digits of any script. Null for anything else, and for a number
 * outside of the bounds.
 */
export function wholeNumberIn(typed: string, { min, max }: { min: number; max: number }): number | null {
  const text = latinDigits(typed).trim();
  const isNumber = /^\d+$/.test(text) && text.length <= String(max).length;
  const value = isNumber ? Number(text) : null;
  return value !== null && value >= min && value <= max ? value : null;
}
