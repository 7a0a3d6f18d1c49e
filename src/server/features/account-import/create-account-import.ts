import {
  checkExport,
  earlierRestoreState,
  restoreExportedAccount,
  restoreExportedLabels,
  restoreExportedRecording,
  restoreExportedTranscript,
} from '#contract/restores-api.ts';
import { sessionOf } from '#server/http/callers.ts';
import type { Feature } from '#server/features/feature.ts';
import { route } from '#server/http/route.ts';
import { restoreMatches } from './compare-recordings.ts';
import { restoreAccountOf } from './restore-account.ts';
import { addImportedLabels } from './restore-labels.ts';
import { startRestore } from './restore-recording.ts';
import { addImportedTranscript } from './restore-transcript.ts';
import type { AccountImportDeps } from './account-import-deps.ts';

/** Builds the feature that imports an account export. It restores the data; the upload routes receive the bytes. */
export function createAccountImport(deps: AccountImportDeps): Feature {
  const {
    access,
    database: { queries },
    usage,
  } = deps;
  return {
    routes: [
      route(checkExport, async (context) => {
        const principal = sessionOf(context);
        const { recordings } = context.body;
        const matches = await restoreMatches({ access, queries }, principal, recordings);
        return {
          body: {
            ...(await usage.usageOf(queries, principal.userId)),
            recordings: recordings.map(({ id }, index) => {
              const match = matches[index] ?? 'conflict';
              return { id, match, state: earlierRestoreState[match] };
            }),
          },
        };
      }),
      route(restoreExportedAccount, async (context) => ({
        body: { rejected: await restoreAccountOf(deps, sessionOf(context).userId, context.body) },
      })),
      route(restoreExportedRecording, async (context) => {
        const { created, ...body } = await startRestore(
          deps,
          { id: context.params.recordingId, principal: sessionOf(context) },
          context.body,
        );
        return { status: created ? 201 : 200, body: { ...body, state: earlierRestoreState[body.match] } };
      }),
      route(restoreExportedLabels, async (context) => {
        await addImportedLabels(
          deps,
          { recordingId: context.params.recordingId, principal: sessionOf(context) },
          context.body,
        );
        return {};
      }),
      route(restoreExportedTranscript, async (context) => ({
        body: {
          rejected: await addImportedTranscript(
            deps,
            { recordingId: context.params.recordingId, principal: sessionOf(context) },
            context.body,
          ),
        },
      })),
    ],
  };
}
