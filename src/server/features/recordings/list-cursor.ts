import { idSchema } from '#contract/values.ts';
import { refuseField } from '../../http/validation.ts';

/** Where a page ended. */
export interface Position { startedAtMs: number; id: string }

/** An opaque word for a position. */
export const writeCursor = (position: Position): string => Buffer.from(`${position.startedAtMs}.${position.id}`).toString('base64url');

/** Reads what `writeCursor` wrote; validation (422) for anything else. */
export function readCursor(cursor: string): Position {
  const [, startedAt, id] = /^(-?\d{1,15})\.(.+)$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  const parsed = idSchema.safeParse(id);
  if (startedAt === undefined || !parsed.success) throw refuseField('/query/cursor', 'cursor');
  return { startedAtMs: Number(startedAt), id: parsed.data };
}
