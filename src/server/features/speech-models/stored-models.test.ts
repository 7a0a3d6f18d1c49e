import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDiskBlobStore } from '#server/storage/blobs/disk/disk-blob-store.ts';
import { whisperLanguage } from '#server/transcribers/words/whisper-languages.ts';
import { tableShapesOf } from '#server/storage/tables/table-shape.ts';
import { eachDatabase, freshDatabase } from '#tests/support/databases.ts';
import { fakeClock } from '#tests/support/fake-clock.ts';
import { MemoryBlobStore } from '#tests/support/memory-blob-store.ts';
import { madeModelOf } from '#tests/support/made-model.ts';
import { speechModelsUnderTest } from '#tests/support/speech-models-under-test.ts';
import { newFolder } from '#tests/support/start-server.ts';
import { modelsFor } from './choose-model.ts';
import { blobKeyOfFile, fileUrlOf, type KnownModel, knownModels, modelBytes } from './known-models.ts';
import { LocalModels } from './local-models.ts';
import { ModelFiles } from './model-files.ts';
import { writeModelRow } from './model-rows.ts';
import { writeTranscriptSettings } from './transcript-settings.ts';

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

test('knows three models by the length and the hash of each file', () => {
  expect(knownModels.map((model) => [model.name, modelBytes(model), model.languages.length])).toEqual([
    ['whisper-small', 375_744_699, 99],
    ['parakeet-v3', 670_478_772, 25],
    ['whisper-base', 160_609_290, 99],
  ]);
  for (const { files, commit, languages, kind } of knownModels) {
    expect(commit).toMatch(/^[0-9a-f]{40}$/);
    expect(new Set(languages).size).toBe(languages.length);
    expect(languages.every((language) => kind !== 'whisper' || whisperLanguage(language) === language)).toBe(
      true,
    );
    for (const { sha256 } of files) expect(sha256).toMatch(/^[0-9a-f]{64}$/);
  }
});

test('finds a file by its commit, also on a mirror below a path', () => {
  const [model] = knownModels;
  const [file] = model?.files ?? [];
  if (model === undefined || file === undefined) throw new Error('no model is known');
  expect(fileUrlOf(model, file, 'https://mirror.example/hf/')).toBe(
    'https://mirror.example/hf/clairemcw/sherpa-onnx-whisper-small-attention/resolve/9a896a02c311676d366ebfda3797753df4153fe2/small-encoder.int8.onnx',
  );
});

test('chooses the best stored model that knows the language, and Whisper if it is not known', () => {
  const namesFor = (language: string | null, ...stored: KnownModel['name'][]) =>
    modelsFor(
      language,
      knownModels.filter(({ name }) => stored.includes(name)),
    ).map(({ name }) => name);
  const all = ['whisper-base', 'whisper-small', 'parakeet-v3'] as const;
  expect(namesFor('de', ...all)).toEqual(['parakeet-v3', 'whisper-small', 'whisper-base']);
  expect(namesFor('ja', ...all)).toEqual(['whisper-small', 'whisper-base']);
  expect(namesFor(null, ...all)[0]).toBe('whisper-small');
  expect(namesFor(null, 'parakeet-v3')).toEqual(['parakeet-v3']);
  expect(namesFor('ja', 'parakeet-v3')).toEqual([]);
  // Norwegian Bokmål and Javanese by their tags.
  expect(namesFor('nb', ...all)).toEqual(['whisper-small', 'whisper-base']);
  expect(namesFor('jv', ...all)).toEqual(['whisper-small', 'whisper-base']);
  expect(namesFor('tlh', ...all)).toEqual([]);
});

/** A model with files of a few bytes. */
function smallModel(name: KnownModel['name']): { model: KnownModel; contents: Map<string, Buffer> } {
  const contents = new Map<string, Buffer>();
  const files = (['encoder', 'decoder', 'tokens'] as const).map((role) => {
    const bytes = Buffer.from(`${role} of ${name}`);
    contents.set(role, bytes);
    return { role, path: `${role}.onnx`, sizeBytes: bytes.byteLength, sha256: sha256Of(bytes) };
  });
  const [known] = knownModels;
  if (known === undefined) throw new Error('no model is known');
  return { model: { ...known, name, files }, contents };
}

async function store(files: ModelFiles, { model, contents }: ReturnType<typeof smallModel>): Promise<void> {
  for (const file of model.files) await files.append(file, 0, contents.get(file.role) ?? Buffer.of());
}

test('a store of files gives its own files to the engine', async () => {
  const directory = newFolder();
  const blobs = await openDiskBlobStore({ directory });
  onTestFinished(() => blobs.close());
  const files = new ModelFiles(blobs);
  const small = smallModel('whisper-base');
  await store(files, small);
  const provided = await new LocalModels({ files, clock: fakeClock(), copiesFolder: null }).provide(
    small.model,
  );
  expect(provided.files.joiner).toBeNull();
  for (const file of small.model.files) {
    const path = provided.files[file.role];
    expect(path).toBe(join(directory, blobKeyOfFile(file)));
    expect(await readFile(path ?? '')).toEqual(small.contents.get(file.role));
  }
});

test('other stores copy a model to the disk, and keep the copies of two', async () => {
  const files = new ModelFiles(new MemoryBlobStore());
  const folder = join(newFolder(), 'models');
  const clock = fakeClock();
  const local = new LocalModels({ files, clock, copiesFolder: folder });
  const names = ['whisper-base', 'whisper-small', 'whisper-base', 'parakeet-v3'] as const;
  for (const name of names) {
    const small = smallModel(name);
    await store(files, small).catch(() => undefined);
    clock.advance(1000);
    const provided = await local.provide(small.model);
    expect(await readFile(provided.files.decoder)).toEqual(small.contents.get('decoder'));
    expect((await readdir(folder)).length).toBeLessThanOrEqual(2);
  }
  expect((await readdir(folder)).sort()).toEqual(['parakeet-v3', 'whisper-base']);
});

test('a decoder with bytes appended is used in place of the stored file, which stays', async () => {
  const blobs = await openDiskBlobStore({ directory: newFolder() });
  onTestFinished(() => blobs.close());
  const files = new ModelFiles(blobs);
  const small = smallModel('whisper-base');
  await store(files, small);
  const decoder = small.model.files.find(({ role }) => role === 'decoder');
  if (decoder === undefined) throw new Error('there is no decoder');
  await files.storePatched(decoder, () => Buffer.from('!'));
  const provided = await new LocalModels({ files, clock: fakeClock(), copiesFolder: null }).provide(
    small.model,
  );
  expect(await readFile(provided.files.decoder, 'utf8')).toBe('decoder of whisper-base!');
  expect(await files.isIntact(decoder, new AbortController().signal)).toBe(true);
  await files.remove(decoder);
  expect(await files.keyOf(decoder)).toBe(blobKeyOfFile(decoder));
});

test('a model that is not stored, or lost its files, is not offered to transcriptions', async () => {
  const database = await freshDatabase();
  const made = [madeModelOf('whisper-base')];
  const { feature: models } = await speechModelsUnderTest({ models: made, modelsUrl: '', database });
  expect(await models.modelFor('en')).toBeNull();
  await writeModelRow(database.queries, 'whisper-base', { state: 'downloading', updated_at: 1 });
  expect(await models.list()).toEqual([]);
  await writeModelRow(database.queries, 'whisper-base', {
    state: 'ready',
    ms_per_second: 150,
    tested_at: 2,
    updated_at: 2,
  });
  expect(await models.list()).toMatchObject([{ name: 'whisper-base', secondsPerSecond: 0.15 }]);
  expect(await models.languages()).toEqual(['en']);
  expect(await models.modelFor('en')).toBeNull();
});

eachDatabase((_dialect, open) => {
  test('no backup contains the stored models, and it contains what administrators decided', async () => {
    const database = await open();
    const names = (await tableShapesOf(database.queries, database.dialect)).map(({ name }) => name);
    expect(names).not.toContain('speech_models');
    expect(names).toContain('installation');
  });

  test('transcripts are on until an administrator turns them off', async () => {
    const database = await open();
    const { feature: models } = await speechModelsUnderTest({ models: [], modelsUrl: '', database });
    expect(await models.settings()).toEqual({ isOn: true, hoursPerDay: 24 });
    await writeTranscriptSettings(database.queries, { isOn: false, hoursPerDay: 2 });
    expect(await models.settings()).toEqual({ isOn: false, hoursPerDay: 2 });
  });
});
