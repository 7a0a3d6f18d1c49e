import {
  changeRecording,
  finishRecording,
  getRecording,
  nameGaps,
  purgeRecording,
  registerRecording,
  reopenRecording,
  restoreRecording,
  trashRecording,
} from '#contract/recordings-api.ts';
import { sessionOf } from '#server/http/callers.ts';
import { route, type Route } from '#server/http/route.ts';
import { type CallerDeps, callerRecording, rejectAsPurged } from './caller-recording.ts';
import type { RecordingFinisher } from './finish-request.ts';
import type { RecordingView } from './recording-view.ts';
import type { RecordingsService } from './recordings-service.ts';
import type { RecordingAccess } from '#server/features/access/recording-access.ts';
import type { RunningTake } from './running-take.ts';

export interface RecordingsRoutesDeps extends CallerDeps {
  access: Pick<RecordingAccess, 'limit' | 'idStates'>;
  recordings: RecordingsService;
  finish: RecordingFinisher;
  running: RunningTake;
  view: RecordingView;
}

/** The routes of recordings, except those that serve bytes. */
export function recordingsRoutes(deps: RecordingsRoutesDeps): Route[] {
  const { recordings, finish, running, view } = deps;
  return [
    route(registerRecording, async (context) => {
      const { created, ...body } = await recordings.register(
        sessionOf(context),
        context.params.recordingId,
        context.body,
      );
      return { status: created ? 201 : 200, body };
    }),
    route(finishRecording, async (context) => ({
      body: await finish(context.principal, context.params.recordingId, context.body),
    })),
    route(nameGaps, async (context) => {
      await running.nameGaps(context.principal, context.params.recordingId, context.body.gaps);
      return {};
    }),
    route(reopenRecording, async (context) => ({
      body: await running.reopen(sessionOf(context), context.params.recordingId, context.query),
    })),
    route(getRecording, async (context) => {
      const { principal, params } = context;
      const opened = { id: params.recordingId, right: 'listen' } as const;
      const row = await callerRecording(deps, principal, opened).catch((error: unknown) =>
        rejectAsPurged(deps, { principal, id: params.recordingId }, error),
      );
      return { body: await view.details(row) };
    }),
    route(changeRecording, async (context) => ({
      body: await recordings.change(context.principal, context.params.recordingId, context.body),
    })),
    route(trashRecording, async (context) => ({
      body: await recordings.trash(context.principal, context.params.recordingId),
    })),
    route(restoreRecording, async (context) => ({
      body: await recordings.restore(context.principal, context.params.recordingId, {
        isUndo: context.query.isUndo === 'true',
      }),
    })),
    route(purgeRecording, async (context) => {
      await recordings.purge(context.principal, context.params.recordingId);
      return {};
    }),
  ];
}
