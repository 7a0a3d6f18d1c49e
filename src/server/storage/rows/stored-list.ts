import { z } from 'zod';
import { gapSchema } from '#contract/recordings.ts';

/** A gap with an unknown cause, or with fields of a later version, is still a gap. */
export const storedGapSchema = z.object({
  ...gapSchema.shape,
  cause: gapSchema.shape.cause.catch('unknown'),
});

/** Parses a list stored as JSON; null if it cannot be read. */
export function storedList<Item>(schema: z.ZodType<Item>, json: string): Item[] | null {
  try {
    return z.array(schema).parse(JSON.parse(json));
  } catch {
    return null;
  }
}
