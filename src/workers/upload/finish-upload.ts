import type { RetryPolicy } from './retry-policy.ts';
import type { StreamUpload } from './stream-upload.ts';
import type { UploadAccess } from './upload-access.ts';
import type { UploadClient } from './upload-client.ts';
import { UploadError } from './upload-error.ts';

/** The last two steps of an upload of several streams; both may be repeated. */
interface LastSteps<Result> {
  /** Sends all bytes that the server does not have. */
  send: () => Promise<void>;
  /** Tells the server that the upload is complete. */
  finish: (client: UploadClient) => Promise<Result>;
}

/** The server has lost a stream that it receipted, as after restoring a backup. This device still has everything. */
function restart(streams: readonly StreamUpload[]): void {
  for (const stream of streams) stream.restart();
}

/** Sends everything and finishes, until the server accepts it. Returns its response. */
export async function finishUpload<Result>(
  line: { access: UploadAccess; retryPolicy: RetryPolicy; streams: readonly StreamUpload[] },
  steps: LastSteps<Result>,
): Promise<Result> {
  for (;;) {
    await steps.send();
    const client = await line.access.client();
    try {
      const result = await steps.finish(client);
      line.retryPolicy.succeeded();
      return result;
    } catch (error) {
      if (error instanceof UploadError && error.kind === 'offset') restart(line.streams);
      await line.retryPolicy.after(error, client);
    }
  }
}
