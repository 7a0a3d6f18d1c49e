import { limits } from '#contract/limits.ts';
import type { RestoreMatch } from '#contract/restores-api.ts';
import { ApiError, isUnreached } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { retry } from '#web/api/connection/retry.ts';
import type { ExportContents, RecordingInExport } from '#workers/account-import/messages.ts';
import { titleText } from '#web/recordings/time/title-text.ts';
import type { NotImported, AccountImportPlan } from './account-import-view.ts';

/** The number of files in one request, far below the server's limit. */
const filesPerRequest = 5000;

/** Whether a failure is temporary: no response, or a server error. */
const isTemporary = (error: unknown): boolean =>
  isUnreached(error) ||
  (error instanceof ApiError &&
    (error.code === 'rate-limited' || error.status >= 500 || (error.problem === null && error.status > 0)));

/**
 * Retries a request until it succeeds or fails for good, which it throws.
 * @param isWanted returns whether the result is still needed
 */
export const retryUntilAnswered = <T>(request: () => Promise<T>, isWanted: () => boolean): Promise<T> =>
  retry(request, (error) => isTemporary(error) && isWanted());

function batches(recordings: readonly RecordingInExport[]): RecordingInExport[][] {
  const made: RecordingInExport[][] = [];
  let files = 0;
  for (const recording of recordings) {
    const last = made.at(-1);
    files += recording.files.length;
    if (last !== undefined && last.length < limits.restore.recordingsPerCheck && files <= filesPerRequest) {
      last.push(recording);
      continue;
    }
    made.push([recording]);
    files = recording.files.length;
  }
  return made;
}

type CheckedRecording = { recording: RecordingInExport; match: RestoreMatch };

const rejectionOf = ({ recording, match }: CheckedRecording): NotImported[] =>
  match === 'unused' || match === 'importing' || match === 'present'
    ? []
    : [{ title: titleText(recording), reason: match }];
const bytesOf = (checked: readonly CheckedRecording[]): number =>
  checked.reduce((sum, { recording }) => sum + recording.sizeBytes, 0);

/**
 * Compares an export with what the server has for this user.
 * @throws ApiError
 */
export async function planAccountImport(
  contents: ExportContents,
  owner: string | null,
): Promise<AccountImportPlan> {
  const checked: CheckedRecording[] = [];
  let quota: { usedBytes: number; quotaBytes: number | null } | null = null;
  for (const some of batches(contents.recordings)) {
    const answer = await call('checkExport', {
      body: { recordings: some.map(({ id, files }) => ({ id, files })) },
      hold: { owner },
    });
    quota = answer;
    for (const [index, recording] of some.entries())
      checked.push({ recording, match: answer.recordings[index]?.match ?? 'conflict' });
  }
  const sent = checked.filter(({ match }) => match === 'unused' || match === 'importing');
  return {
    contents,
    toSend: sent.map(({ recording }) => recording),
    toSendBytes: bytesOf(sent),
    hereCount: checked.filter(({ match }) => match === 'present').length,
    rejected: [
      ...contents.unreadable.map((title): NotImported => ({ title, reason: 'unreadable' })),
      ...checked.flatMap(rejectionOf),
    ],
    neededBytes: bytesOf(checked.filter(({ match }) => match === 'unused')),
    freeBytes:
      quota === null || quota.quotaBytes === null ? null : Math.max(0, quota.quotaBytes - quota.usedBytes),
  };
}
