import { z } from 'zod';
import { gapSchema } from '#contract/recordings.ts';

/** A gap whose cause is not known is a gap all the same. */
export const storedGapSchema = gapSchema.extend({ cause: gapSchema.shape.cause.catch('unknown') });

/** A list that a column holds as JSON; null where it cannot be read. */
export function storedList<Item>(schema: z.ZodType<Item>, json: string): Item[] | null {
  try {
    return z.array(schema).parse(JSON.parse(json));
  } catch {
    return null;
  }
}
