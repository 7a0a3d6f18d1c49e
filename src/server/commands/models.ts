import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '#base/clock.ts';
import { minute, second } from '#base/duration.ts';
import type { Config } from '#server/config.ts';
import { type KnownModel, knownModels } from '#server/features/speech-models/known-models.ts';
import {
  findModel,
  isServerRunning,
  type ListedModel,
  listModels,
  modelsInFolder,
  requestedState,
  removeModel,
  requestModel,
  storeModel,
  verifyModels,
} from '#server/features/speech-models/models-on-console.ts';
import { createJobQueue } from '#server/jobs/database-job-queue.ts';
import { openBesideServer, openDatabaseInUse, openStores } from '#server/start/open-stores.ts';
import type { Database } from '#server/storage/database/database.ts';
import { progressPrinter } from './progress-printer.ts';
import { sizeText } from './size-text.ts';

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const working = (database: Database) => ({
  database,
  clock: systemClock,
  queue: createJobQueue({ clock: systemClock }),
});

const lineOf = ({ model, state, sizeBytes, storedBytes, problem }: ListedModel): string =>
  [
    model.name.padEnd(14),
    state.padEnd(11),
    `${sizeText(storedBytes)} of ${sizeText(sizeBytes)}`.padEnd(22),
    model.licence.padEnd(9),
    ...(problem === null ? [] : [problem]),
  ]
    .join('  ')
    .trimEnd();

async function list(config: Config): Promise<number> {
  const { database, blobs } = await openBesideServer(config);
  try {
    for (const listed of await listModels({ database, blobs })) print(lineOf(listed));
    return 0;
  } finally {
    await blobs.close();
    await database.close();
  }
}

/** Prints how far the server is until it is done. */
async function follow(database: Database, model: KnownModel): Promise<number> {
  const printProgress = progressPrinter();
  for (;;) {
    const { state, storedBytes, problem } = await requestedState(database, model);
    if (state !== 'downloading' && state !== 'checking') {
      print(`${model.name}: ${state}${problem === null ? '' : `, ${problem}`}`);
      return state === 'ready' || state === 'untested' ? 0 : 1;
    }
    printProgress(
      () => `${model.name}: ${state}, ${sizeText(storedBytes)}${problem === null ? '' : `, ${problem}`}`,
    );
    await delay(second);
  }
}

async function download(config: Config, model: KnownModel): Promise<number> {
  const database = await openDatabaseInUse(config);
  try {
    await requestModel(working(database), model);
    if (await isServerRunning(database, systemClock.nowMs() - minute)) return await follow(database, model);
    print('No server is running. It downloads the model when it starts.');
    return 0;
  } finally {
    await database.close();
  }
}

async function addFolder(config: Config, folder: string): Promise<number> {
  const found = await modelsInFolder(folder);
  if (found.length === 0) {
    print(`${folder} does not have all files of a model that Earshot knows.`);
    return 1;
  }
  const { database, blobs, close } = await openStores(config);
  try {
    for (const each of found) {
      const wrongFile = await storeModel({ ...working(database), blobs }, each);
      if (wrongFile !== null) {
        print(`${wrongFile} is not the expected file: its hash is another one.`);
        return 1;
      }
      print(`${each.model.name}: stored. The server tests it when it starts.`);
    }
    return 0;
  } finally {
    await close();
  }
}

async function remove(config: Config, model: KnownModel): Promise<number> {
  const { database, blobs, close } = await openStores(config);
  try {
    const isRemoved = await removeModel({ database, blobs }, model);
    print(isRemoved ? `${model.name}: removed.` : `A transcription uses ${model.name}. Stop it first.`);
    return isRemoved ? 0 : 1;
  } finally {
    await close();
  }
}

async function verify(config: Config, models: readonly KnownModel[]): Promise<number> {
  const { database, blobs } = await openBesideServer(config);
  let damagedCount = 0;
  try {
    for await (const { model, file, isIntact } of verifyModels({ database, blobs }, models)) {
      if (!isIntact) damagedCount += 1;
      print(`${isIntact ? 'intact ' : 'changed'}  ${model.name}  ${file.path}`);
    }
    return damagedCount === 0 ? 0 : 1;
  } finally {
    await blobs.close();
    await database.close();
  }
}

type Action = (config: Config, subject: string | undefined) => Promise<number> | null;

const actions = new Map<string | undefined, Action>([
  ['list', (config, subject) => (subject === undefined ? list(config) : null)],
  [
    'add',
    (config, subject) => {
      if (subject === undefined) return null;
      const model = findModel(subject);
      return model === undefined ? addFolder(config, subject) : download(config, model);
    },
  ],
  [
    'remove',
    (config, subject) => {
      const model = findModel(subject);
      return model === undefined ? null : remove(config, model);
    },
  ],
  [
    'verify',
    (config, subject) => {
      if (subject === undefined) return verify(config, knownModels);
      const model = findModel(subject);
      return model === undefined ? null : verify(config, [model]);
    },
  ],
]);

/**
 * Runs `earshot models …`.
 * @returns the exit code; null if the words are not a command
 */
export const models = async (
  config: Config,
  [action, subject, ...rest]: readonly string[],
): Promise<number | null> =>
  rest.length > 0 ? null : ((await actions.get(action)?.(config, subject)) ?? null);
