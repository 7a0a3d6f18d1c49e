import type { RetryPolicy } from './retry-policy.ts';
import type { StreamUpload } from './stream-upload.ts';
import type { UploadAccess } from './upload-access.ts';
import type { UploadClient } from './upload-client.ts';
import { UploadError } from './upload-error.ts';

/** The last two steps of an upload of several streams; both may be taken again and again. */
interface LastSteps<Result> {
  /** Sends all that is not yet with the server. */
  send: () => Promise<void>;
  /** Says that this was all. */
  finish: (client: UploadClient) => Promise<Result>;
}

/**
 * The server does not know of a stream it gave a receipt for: a restored backup. Everything is still here.
 */
function restart(streams: readonly StreamUpload[]): void {
  for (const stream of streams) stream.restart();
}

/** Sends everything and says so, until the server agrees; gives its answer. */
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
