import { instantOf } from '#base/instant.ts';
import {
  createZip,
  type DownloadFormat,
  downloadAccountExport,
  downloadRecording,
  getAccountExport,
  getZip,
  listExportFormats,
  startAccountExport,
} from '#contract/exports-api.ts';
import { attachment } from '#server/http/attachment.ts';
import { sessionOf } from '#server/http/callers.ts';
import type { RecordingAccess } from '#server/features/access/recording-access.ts';
import { endUnread } from '#server/http/edge/end-unread.ts';
import { ProblemError } from '#server/http/problem.ts';
import { route, type Route, type RouteContext } from '#server/http/route.ts';
import { sendBytes } from '#server/http/send-bytes.ts';
import { sendStream } from '#server/http/edge/send-stream.ts';
import { believableCount } from '#server/storage/rows/believable.ts';
import type { AccountExports } from './account/account-exports.ts';
import { createDownload, type DownloadDeps } from './convert/download.ts';
import { streamZip, type StreamZipDeps } from './zip/stream-zip.ts';
import type { Tickets } from './zip/tickets.ts';

export interface ExportsRoutesDeps extends DownloadDeps, StreamZipDeps {
  access: Pick<RecordingAccess, 'recordings'>;
  tickets: Tickets;
  account: AccountExports;
  nowMs: () => number;
}

const convertible: readonly DownloadFormat[] = ['original', 'mp3', 'm4a', 'opus', 'flac', 'wav'];

/** The file name of an export, with the day on which it was made. */
const named = (name: string, nowMs: number): string =>
  attachment(`${name} ${instantOf(nowMs).slice(0, 10)}.zip`);

async function sendZip(deps: ExportsRoutesDeps, context: RouteContext<typeof getZip>): Promise<'sent'> {
  const {
    request,
    reply,
    params: { ticket },
  } = context;
  const principal = sessionOf(context);
  const { userId } = principal;
  const isHead = request.method === 'HEAD';
  const ids = isHead ? null : await deps.tickets.redeem(userId, ticket);
  if (isHead ? !(await deps.tickets.isGood(userId, ticket)) : ids === null)
    throw new ProblemError('link-not-found');
  const headers = {
    'Content-Type': 'application/zip',
    'Content-Disposition': named('Earshot', deps.nowMs()),
    'Cache-Control': 'private, no-store',
    'Accept-Ranges': 'none',
  };
  if (ids === null) {
    void reply.headers(headers).send();
    return 'sent';
  }
  return sendStream(reply, {
    stream: streamZip(deps, { principal, ids, nowMs: deps.nowMs() }),
    headers,
  });
}

/** The routes for downloads and exports. */
export function exportsRoutes(deps: ExportsRoutesDeps): Route[] {
  const { access, tickets, account, findFfmpeg } = deps;
  return [
    route(listExportFormats, async () => ({
      body: { formats: convertible.slice(0, (await findFfmpeg()) === null ? 1 : undefined) },
    })),
    route(downloadRecording, createDownload(deps)),
    route(createZip, async (context) => {
      const principal = sessionOf(context);
      const wanted = [...new Set(context.body.ids)];
      const opened = await access.recordings(principal, wanted, 'listen');
      if (opened.length === 0) throw new ProblemError('not-found');
      const there = new Set(opened.map(({ id }) => id));
      const ids = wanted.filter((id) => there.has(id));
      const { ticket, expiresAtMs } = await tickets.issue(principal.userId, ids);
      return {
        status: 201,
        body: {
          ticket,
          expiresAt: instantOf(expiresAtMs),
          recordingCount: ids.length,
          sizeBytes: opened.reduce((sum, { size_bytes: sizeBytes }) => sum + believableCount(sizeBytes), 0),
          missing: wanted.filter((id) => !there.has(id)),
        },
      };
    }),
    route(getZip, (context) => {
      endUnread(context.reply.raw);
      return sendZip(deps, context);
    }),
    route(startAccountExport, async (context) => ({
      status: 201,
      body: await account.start(sessionOf(context).userId),
    })),
    route(getAccountExport, async (context) => ({
      body: { export: await account.latest(sessionOf(context).userId) },
    })),
    route(downloadAccountExport, async (context) => {
      endUnread(context.reply.raw);
      const { source, createdAtMs } = await account.open(sessionOf(context).userId, context.params.exportId);
      context.reply.header('Content-Disposition', named('Earshot account', createdAtMs));
      return sendBytes(context, source);
    }),
  ];
}
