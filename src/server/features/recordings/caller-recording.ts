import type { Principal, SessionPrincipal, UploadPrincipal } from '#server/http/principal.ts';
import { ProblemError } from '#server/http/problem.ts';
import type { Database, Queries } from '#server/storage/database/database.ts';
import { ownedRecording } from './recordings-service.ts';
import * as store from './recordings-store.ts';

/**
 * Returns the recording that a session's user owns, or that an upload capability was issued for.
 * @throws not-found (404), or forbidden (403) if the capability is for another recording
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

/** The browser and operating system of the device that sent a request, for the history of a recording. */
export async function deviceLabelOf(queries: Queries, device: Device): Promise<string> {
  if (device?.kind !== 'session') return device?.deviceLabel ?? '';
  const session = await queries
    .selectFrom('sessions')
    .select('label')
    .where('id', '=', device.sessionId)
    .executeTakeFirst();
  return session?.label ?? '';
}
