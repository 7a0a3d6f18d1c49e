import { instantOf } from '#base/instant.ts';
import * as contract from '#contract/speech-models-api.ts';
import { adminOf } from '#server/http/callers.ts';
import { ProblemError } from '#server/http/problem.ts';
import { route, type Route } from '#server/http/route.ts';
import type { SpeechModelRow } from '#server/storage/database/operations-tables.ts';
import { needsModel } from '#server/transcribers/transcriber.ts';
import type { ModelChanges } from './change-models.ts';
import { type KnownModel, modelBytes } from './known-models.ts';
import { missingSpace } from './model-space.ts';
import { readModelRows } from './model-rows.ts';
import type { ModelsDeps } from './models-deps.ts';
import { readTranscriptSettings, writeTranscriptSettings } from './transcript-settings.ts';
import { spokenWordCount } from './trial/try-model.ts';

type Test = contract.SpeechModelInfo['test'];

function testIn(row: SpeechModelRow | undefined): Test {
  if (row === undefined || row.tested_at === null) return null;
  const { tested_at: at, wrong_words: wrongWords, ms_per_second: msPerSecond, gives } = row;
  return {
    at: instantOf(at),
    wrongWords: wrongWords ?? 0,
    words: spokenWordCount,
    secondsPerSecond: (msPerSecond ?? 0) / 1000,
    gives: gives ?? 'text',
  };
}

const absent = { state: 'absent', cause: null, detail: null } as const;

async function present(
  deps: ModelsDeps,
  model: KnownModel,
  row: SpeechModelRow | undefined,
): Promise<contract.SpeechModelInfo> {
  const files = [];
  for (const file of model.files) {
    const storedBytes = await deps.files.storedBytes(file);
    files.push({ name: file.path, sizeBytes: file.sizeBytes, storedBytes });
  }
  const { state, cause, detail } = row ?? absent;
  return {
    name: model.name,
    title: model.title,
    licence: model.licence,
    languages: [...model.languages],
    sizeBytes: modelBytes(model),
    storedBytes: files.reduce((sum, { storedBytes }) => sum + storedBytes, 0),
    state,
    cause,
    detail,
    missingSpace: await missingSpace(deps, model),
    test: testIn(row),
    files,
  };
}

function engineOf({
  transcriber,
}: Pick<ModelsDeps, 'transcriber'>): 'ready' | 'missing' | 'off' | 'elsewhere' {
  if (transcriber === null) return 'off';
  if (!needsModel(transcriber)) return 'elsewhere';
  return transcriber.isInstalled() ? 'ready' : 'missing';
}

/** The routes with which administrators choose speech models. */
export function modelsRoutes(deps: ModelsDeps, changes: ModelChanges): Route[] {
  const { queries } = deps.database;

  const knownModel = (name: string): KnownModel => {
    const model = deps.known.find((each) => each.name === name);
    if (model === undefined) throw new ProblemError('model-unknown');
    return model;
  };

  return [
    route(contract.listSpeechModels, async (context) => {
      adminOf(context);
      const rows = await readModelRows(queries);
      const models = [];
      for (const model of deps.known) models.push(await present(deps, model, rows.get(model.name)));
      return {
        body: {
          models,
          engine: engineOf(deps),
          address: deps.transcriber?.address ?? null,
          host: new URL(deps.modelsUrl).host,
        },
      };
    }),
    route(contract.downloadSpeechModel, async (context) => {
      adminOf(context);
      await changes.download(knownModel(context.params.name));
      return { status: 204 };
    }),
    route(contract.pauseSpeechModel, async (context) => {
      adminOf(context);
      await changes.pause(knownModel(context.params.name));
      return { status: 204 };
    }),
    route(contract.testSpeechModel, async (context) => {
      adminOf(context);
      await changes.test(knownModel(context.params.name));
      return { status: 204 };
    }),
    route(contract.appendSpeechModelFile, async (context) => {
      adminOf(context);
      const model = knownModel(context.params.name);
      const file = model.files.find(({ path }) => path === context.params.file);
      if (file === undefined) throw new ProblemError('not-found');
      const offsetBytes = context.headers['upload-offset'];
      const storedBytes = await changes.append(model, file, { offsetBytes, bytes: context.bytes });
      return { status: 204, headers: { 'Upload-Offset': String(storedBytes) } };
    }),
    route(contract.removeSpeechModel, async (context) => {
      adminOf(context);
      await changes.remove(knownModel(context.params.name));
      return { status: 204 };
    }),
  ];
}

/** The routes with which administrators limit transcripts. */
export function transcriptSettingsRoutes({
  database,
  announce,
}: Pick<ModelsDeps, 'database' | 'announce'>): Route[] {
  return [
    route(contract.getTranscriptSettings, async (context) => {
      adminOf(context);
      return { body: await readTranscriptSettings(database.queries) };
    }),
    route(contract.changeTranscriptSettings, async (context) => {
      adminOf(context);
      const settings = await database.transaction(async (transaction) => {
        const { isOn, hoursPerDay } = await readTranscriptSettings(transaction);
        const changed = {
          isOn: context.body.isOn ?? isOn,
          hoursPerDay: context.body.hoursPerDay ?? hoursPerDay,
        };
        await writeTranscriptSettings(transaction, changed);
        return changed;
      });
      announce.transcriberChanged();
      return { body: settings };
    }),
  ];
}
