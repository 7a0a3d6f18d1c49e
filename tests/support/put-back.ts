import type { LightMyRequestResponse } from 'fastify';
import { second } from '#base/duration.ts';
import type { UploadCapability } from '#contract/recordings.ts';
import { checkFiles } from '#workers/account-import/check-files.ts';
import type { ExportContents } from '#workers/account-import/messages.ts';
import { ExportFile, type OpenedRecording } from '#workers/account-import/read-export.ts';
import { RecordingImport } from '#workers/account-import/send-recording.ts';
import type { UploadDeps } from '#workers/upload/upload-access.ts';
import { type ApiUnderTest, type TestUser, problemOf } from './api-under-test.ts';

/** A `fetch` that calls the server under test. `beforeAppend` may throw, as a broken connection does. */
function fetchOf({ app }: ApiUnderTest, beforeAppend: () => void): typeof fetch {
  return async (input, init = {}) => {
    const method =
      (['PUT', 'PATCH', 'HEAD', 'POST'] as const).find((known) => known === init.method) ?? 'GET';
    if (method === 'PATCH') beforeAppend();
    const payload =
      init.body instanceof Uint8Array
        ? Buffer.from(init.body)
        : typeof init.body === 'string'
          ? init.body
          : '';
    const answer = await app.inject({
      method,
      url: typeof input === 'string' ? input : '',
      headers: Object.fromEntries(new Headers(init.headers)),
      ...(payload.length > 0 ? { payload } : {}),
    });
    const headers = Object.entries(answer.headers).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    return new Response(answer.statusCode === 204 ? null : answer.body, {
      status: answer.statusCode,
      headers,
    });
  };
}

export class CutOff extends Error {}

export interface PutBack {
  contents: ExportContents;
  matches: string[];
  rejected: unknown[];
  /** Lines and corrections that were left out, and the number of unreadable ones. */
  leftOutWords: unknown[];
}

/**
 * The user who imports an export, and the server. The connection breaks permanently after `cutAfterAppends`
 * appends.
 */
interface Mover {
  api: ApiUnderTest;
  user: TestUser;
  cutAfterAppends?: number;
}

async function sendOrThrow(
  { api, user }: Mover,
  request: { method: 'POST' | 'PUT'; url: string; payload: object },
): Promise<LightMyRequestResponse> {
  const answer = await api.as(user, request);
  if (answer.statusCode >= 300)
    throw new Error(
      `${answer.statusCode} ${problemOf(answer).code} ${JSON.stringify(problemOf(answer).errors ?? [])}`,
    );
  return answer;
}

/** A connection to the server that breaks after `cutAfterAppends` appends; `broken` rejects then. */
function lineOf({ api, cutAfterAppends = Infinity }: Mover): {
  deps: UploadDeps;
  broken: Promise<never>;
} {
  const cut = Promise.withResolvers<never>();
  let appends = 0;
  const beforeAppend = (): void => {
    appends += 1;
    if (appends <= cutAfterAppends) return;
    cut.reject(new CutOff());
    throw new TypeError('the connection is cut');
  };
  const sleep = () =>
    new Promise<void>((resolve) => {
      setTimeout(resolve, 5);
    });
  return {
    deps: { fetch: fetchOf(api, beforeAppend), sleep, nowMs: () => 0, random: () => 0 },
    broken: cut.promise,
  };
}

async function putOne(
  mover: Mover,
  opened: OpenedRecording,
  { deps, broken }: ReturnType<typeof lineOf>,
): Promise<unknown[]> {
  await checkFiles(opened, () => undefined);
  const url = `/api/restores/recordings/${opened.described.id}`;
  const leftOutWords: unknown[] = [];
  const failed = Promise.withResolvers<never>();
  const run = new RecordingImport(
    opened,
    {
      needAttach: (payload) => {
        sendOrThrow(mover, { method: 'PUT', url, payload }).then((answer) => {
          run.attach(answer.json<{ upload: UploadCapability }>().upload);
        }, failed.reject);
      },
      storeLabels: async (payload) => {
        await sendOrThrow(mover, { method: 'POST', url: `${url}/labels`, payload });
      },
      storeTranscript: async (payload) => {
        const answer = await sendOrThrow(mover, { method: 'POST', url: `${url}/transcript`, payload });
        leftOutWords.push(...answer.json<{ rejected: unknown[] }>().rejected);
      },
      onUnreadableWords: (count) => {
        leftOutWords.push(count);
      },
      onProgress: () => undefined,
    },
    deps,
  );
  await Promise.race([run.run(), failed.promise, broken]);
  return leftOutWords;
}

/**
 * Imports an export into an account with the browser's code, including its jobs.
 * @throws CutOff when the connection breaks.
 */
export async function putBack(mover: Mover, zip: Uint8Array<ArrayBuffer>): Promise<PutBack> {
  const file = await ExportFile.open(new Blob([zip]));
  const contents = await file.contents(() => undefined);
  const line = lineOf(mover);
  const { rejected } = (
    await sendOrThrow(mover, { method: 'POST', url: '/api/restores/account', payload: contents.account })
  ).json<{ rejected: unknown[] }>();
  const matches: string[] = [];
  const leftOutWords: unknown[] = [];
  for (const { folder, id, files } of contents.recordings) {
    const {
      recordings: [asked],
    } = (
      await sendOrThrow(mover, {
        method: 'POST',
        url: '/api/restores/check',
        payload: { recordings: [{ id, files }] },
      })
    ).json<{ recordings: { match: string }[] }>();
    const match = asked?.match ?? '';
    matches.push(match);
    if (['unused', 'importing'].includes(match))
      leftOutWords.push(...(await putOne(mover, await file.recording(folder), line)));
  }
  for (let round = 0; round < 5; round += 1) {
    await mover.api.runJobs();
    mover.api.clock.advance(10 * second);
  }
  return { contents, matches, rejected, leftOutWords };
}
