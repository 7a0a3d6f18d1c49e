import { z } from 'zod';

/** A list that a column holds as JSON; null where it cannot be read. */
export function storedList<Item>(schema: z.ZodType<Item>, json: string): Item[] | null {
  try {
    return z.array(schema).parse(JSON.parse(json));
  } catch {
    return null;
  }
}
