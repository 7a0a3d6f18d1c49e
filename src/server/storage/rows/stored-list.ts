import { z } from 'zod';
import { gapSchema } from '#contract/recordings.ts';

/** A gap with an unknown cause is still a gap. */
export const storedGapSchema = gapSchema.extend({ cause: gapSchema.shape.cause.catch('unknown') });

/** Parses a list stored as JSON; null if it cannot be read. */
export function storedList<Item>(schema: z.ZodType<Item>, json: string): Item[] | null {
  try {
    return z.array(schema).parse(JSON.parse(json));
  } catch {
    return null;
  }
}
