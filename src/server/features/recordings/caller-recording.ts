import type { Principal, SessionPrincipal, UploadPrincipal } from '#server/http/principal.ts';
import { ProblemError } from '#server/http/problem.ts';
import type { Database, Queries } from '#server/storage/database/database.ts';
import { ownedRecording } from './recordings-service.ts';
import * as store from './recordings-store.ts';

/**
 * The recording that a session owns or a capability is for; not-found (404), forbidden (403) for a capability
 * of another one.
 */
export async function callerRecording(
  database: Database,
  principal: Principal | null,
  id: string,
): Promise<store.RecordingWithCounts> {
  if (principal?.kind === 'session') return ownedRecording(database, principal.userId, id);
  if (principal?.recordingId !== id) throw new ProblemError('forbidden');
  const row = await store.findAny(database.queries, id);
  if (!row) throw new ProblemError('not-found');
  return row;
}

type Device =
  | Pick<SessionPrincipal, 'kind' | 'sessionId'>
  | Pick<UploadPrincipal, 'kind' | 'deviceLabel'>
  | null;

/** Browser and system of the device behind a request, for the history of a recording. */
export async function deviceLabelOf(queries: Queries, device: Device): Promise<string> {
  if (device?.kind !== 'session') return device?.deviceLabel ?? '';
  const session = await queries
    .selectFrom('sessions')
    .select('label')
    .where('id', '=', device.sessionId)
    .executeTakeFirst();
  return session?.label ?? '';
}
