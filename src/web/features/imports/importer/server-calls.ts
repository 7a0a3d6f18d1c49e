import { momentOf, type RecordedTime, unknownTime } from '#base/recorded-time/recorded-time.ts';
import type { UploadCapability } from '#contract/recordings.ts';
import type { UnfinishedImport } from '#contract/storage-api.ts';
import { failureOfCode } from '#device/outbox/failure.ts';
import { newEntry, type OutboxPayloads } from '#device/outbox/outbox-entry.ts';
import { ApiError } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { senderId } from '#web/api/session-state.ts';
import { retry } from '#web/api/connection/retry.ts';
import { outbox } from '#web/outbox/page-outbox.ts';
import { type FileFacts, type ImportRecord, recordingIdOf } from '#workers/import/import-record.ts';
import type { UploadCondition } from '#workers/upload/upload-condition.ts';
import type { ImportJudgement } from './judge-imports.ts';
import type { ImportState, SameRecordings } from './import-item.ts';

/** The server's response to a request to import a file; a state if it rejects it. `begun`: it has a part of it. */
export type Admission =
  | { kind: 'welcome' }
  | { kind: 'same'; of: SameRecordings }
  | { kind: 'begun'; unfinished: UnfinishedImport }
  | { kind: 'rejected'; state: ImportState };
/** `there`: the server has every byte of this import. */
export type Registration =
  | { kind: 'registered'; upload: UploadCapability; ownerId: string }
  | { kind: 'there'; ownerId: string }
  | { kind: 'rejected'; state: ImportState };

/** The user to send requests for: the signed-in user; null if the import belongs to another user. */
function importerOf({ ownerId }: ImportRecord): string | null {
  const user = senderId();
  return ownerId === null || ownerId === user ? user : null;
}

function overQuota(error: ApiError): ImportState {
  const params = error.problem?.errors?.[0]?.params ?? {};
  const bytes = (value: unknown) => (typeof value === 'number' ? value : null);
  return { step: 'over-quota', usedBytes: bytes(params['used']), quotaBytes: bytes(params['limit']) };
}

/**
 * The state that an error leads to; null if it is temporary, as is every error that the server did not report
 * itself.
 */
function stateOf(error: unknown): ImportState | null {
  if (!(error instanceof ApiError)) return { step: 'failed', error: 'internal' };
  if (failureOfCode(error.code) === 'other-session') return { step: 'sign-in' };
  if (error.problem === null) return null;
  if (error.code === 'quota-exceeded') return overQuota(error);
  if (error.code === 'too-large') return { step: 'rejected', reason: 'too-large' };
  return failureOfCode(error.code) === 'never' ? { step: 'failed', error: 'rejected-by-server' } : null;
}

/** The reason why a request is retried; null for a server error. */
export type RetryReason = Extract<UploadCondition, 'offline' | 'gate-closed' | 'server-full'> | null;

/** `isWanted` returns whether the response is still needed. `onRetry` is called before each further attempt. */
export interface Waiting {
  isWanted: () => boolean;
  onRetry?: (why: RetryReason) => void;
}

/** The state of an import that is about to be sent, with the reason why it is waiting. */
export const waitingFor = (state: ImportState, why: RetryReason): ImportState =>
  state.step === 'sending' ? { ...state, condition: why ?? 'unattached' } : state;

const conditionsByCode: Readonly<Record<string, RetryReason>> = {
  offline: 'offline',
  'gate-closed': 'gate-closed',
  'storage-full': 'server-full',
};

/** Retries a request until it has a result or is no longer wanted. */
async function retryUntilAnswered<T>(
  request: () => Promise<T>,
  { isWanted, onRetry }: Waiting,
): Promise<T | { kind: 'rejected'; state: ImportState }> {
  const shouldRetry = (error: unknown): boolean => {
    if (stateOf(error) !== null || !isWanted()) return false;
    onRetry?.(error instanceof ApiError ? (conditionsByCode[error.code] ?? null) : null);
    return true;
  };
  try {
    return await retry(request, shouldRetry);
  } catch (error) {
    return { kind: 'rejected', state: stateOf(error) ?? { step: 'waiting' } };
  }
}

/** Asks whether the server has these bytes already and has space for them, before any of them is sent. */
export function requestAdmission(record: ImportRecord, waiting: Waiting): Promise<Admission> {
  return retryUntilAnswered<Admission>(async () => {
    const owner = importerOf(record);
    if (owner === null) return { kind: 'rejected', state: { step: 'sign-in' } };
    const {
      files: [checked],
      usedBytes,
      quotaBytes,
    } = await call('checkImports', {
      body: { files: [{ sha256: record.sha256 ?? '', sizeBytes: record.sizeBytes }] },
      hold: { owner },
    });
    if (checked?.rejection === 'too-large')
      return { kind: 'rejected', state: { step: 'rejected', reason: 'too-large' } };
    if (checked?.rejection === 'quota-exceeded')
      return { kind: 'rejected', state: { step: 'over-quota', usedBytes, quotaBytes } };
    if (checked && !record.mayRepeat) {
      if (checked.unfinished) return { kind: 'begun', unfinished: checked.unfinished };
      if (checked.recordings.length > 0) return { kind: 'same', of: checked.recordings };
    }
    return { kind: 'welcome' };
  }, waiting);
}

/** Records of older versions have a moment, in the device's time zone. */
const recordedTimeOf = ({ recordedTime, startedAtMs }: FileFacts, timeZone: string): RecordedTime =>
  recordedTime ??
  (startedAtMs === undefined ? unknownTime : momentOf(new Date(startedAtMs).toISOString(), timeZone));

/** Registers the recording that an import becomes, or renews its upload token. */
export function registerImport(record: ImportRecord, waiting: Waiting): Promise<Registration> {
  const { facts, name, mediaType, sizeBytes, sha256, timeZone } = record;
  return retryUntilAnswered<Registration>(async () => {
    const ownerId = importerOf(record);
    if (ownerId === null || facts === null) return { kind: 'rejected', state: { step: 'sign-in' } };
    const { upload, receipts } = await call('registerRecording', {
      params: { recordingId: recordingIdOf(record) },
      body: {
        title: facts.title,
        recordedTime: recordedTimeOf(facts, timeZone),
        format: facts.format,
        source: 'import',
        deviceLabel: null,
        file: { name, mediaType, sizeBytes, sha256 },
      },
      hold: { owner: ownerId },
    });
    if (upload !== null) return { kind: 'registered', upload, ownerId };
    const isWhole = receipts.some(
      (receipt) => receipt.lengthBytes === sizeBytes && (sha256 === null || receipt.sha256 === sha256),
    );
    return isWhole
      ? { kind: 'there', ownerId }
      : { kind: 'rejected', state: { step: 'failed', error: 'rejected-by-server' } };
  }, waiting);
}

/** Sets the time of a recording that the server has already, unless its owner has stated one. */
export async function setUnknownTime(record: ImportRecord, recordedTime: RecordedTime): Promise<void> {
  const owner = record.ownerId;
  if (owner === null || owner !== senderId()) return;
  const params = { recordingId: recordingIdOf(record) };
  await retryUntilAnswered(
    async () => {
      const known = await call('getRecording', { params, hold: { owner } });
      if (known.recordedTime.kind === 'unknown')
        await call('changeRecording', { params, body: { recordedTime }, hold: { owner } });
    },
    { isWanted: () => senderId() === owner },
  );
}

const goneCodes: ReadonlySet<string> = new Set(['not-found', 'purged']);

/**
 * What the server found in a file that it has; null if it has not judged it yet, or if its owner is not signed in: to
 * another user the recording looks deleted.
 */
export async function judgementOf(record: ImportRecord): Promise<ImportJudgement> {
  const owner = record.ownerId;
  if (owner === null || owner !== senderId()) return null;
  try {
    const { state } = await call('getRecording', {
      params: { recordingId: recordingIdOf(record) },
      // Nobody waits for it, so an ended session is no reason to ask for a sign-in.
      hold: { owner, noHold: true },
    });
    // Also after a fault of the server. If it succeeds later, that is an event of the recording, and asks again.
    if (state === 'failed') return 'unplayable';
    return state === 'ready' ? 'playable' : null;
  } catch (error) {
    if (error instanceof ApiError && goneCodes.has(error.code)) return 'gone';
    throw error;
  }
}

/**
 * Queues what should happen to the recording of a cancelled import.
 * @returns true once that is stored, or if there is no such recording; false if it could not be stored
 */
export async function settleImport(
  record: ImportRecord,
  wanted: OutboxPayloads['import']['wanted'],
): Promise<boolean> {
  const { ownerId } = record;
  if (ownerId === null) return true;
  const target = recordingIdOf(record);
  const entry = newEntry({ userId: ownerId, kind: 'import', target, payload: { wanted } });
  return outbox.add(entry).then(
    () => true,
    () => false,
  );
}
