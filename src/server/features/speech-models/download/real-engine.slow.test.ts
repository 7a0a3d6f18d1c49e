import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { openDiskBlobStore } from '#server/storage/blobs/disk/disk-blob-store.ts';
import { createEmbeddedTranscriber } from '#server/transcribers/embedded/embedded-transcriber.ts';
import { type MadeModel, madeModelOf } from '#tests/support/made-model.ts';
import { startModelServer } from '#tests/support/model-server.ts';
import { newFolder } from '#tests/support/start-server.ts';
import { speechModelsUnderTest } from '#tests/support/speech-models-under-test.ts';
import { toyFile, toyWhisper } from '#tests/support/toy-whisper.ts';

const transcriber = createEmbeddedTranscriber({ threads: 1 });

const spoken = [
  ' And so my fellow Americans',
  ' ask not what your',
  ' country can do for you',
  ' ask what you can do',
  ' for your country',
  '.',
];

/** A real Whisper of a few kilobytes that says these tokens about any sound, as a model that can be downloaded. */
function toyModel(tokens: readonly string[]): MadeModel {
  const { files } = toyWhisper({ tokens, decoder: toyFile('decoder-without-attention') });
  const contents = new Map<string, Buffer>();
  const known = (['encoder', 'decoder', 'tokens'] as const).map((role) => {
    const bytes = readFileSync(files[role]);
    contents.set(role, bytes);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { role, path: role, sizeBytes: bytes.byteLength, sha256 };
  });
  const { model } = madeModelOf('whisper-base');
  return { contents, model: { ...model, files: known, needsAttentionPatch: true } };
}

async function downloaded(tokens: readonly string[]) {
  const made = toyModel(tokens);
  const server = await startModelServer([made]);
  const blobs = await openDiskBlobStore({ directory: newFolder() });
  onTestFinished(() => transcriber.close());
  onTestFinished(() => blobs.close());
  const models = await speechModelsUnderTest({ models: [made], modelsUrl: server.url, blobs, transcriber });
  await models.call('POST', 'speech-models/whisper-base/download');
  await models.runner.runDue();
  return { ...models, shown: await models.shown('whisper-base') };
}

test.skipIf(!transcriber.isInstalled())(
  'the engine hears the words of the test in a downloaded model, with the times that the patch adds',
  async () => {
    const { shown, feature } = await downloaded(spoken);
    expect(shown).toMatchObject({ state: 'ready', detail: null, test: { wrongWords: 0, gives: 'word' } });
    expect((await feature.modelFor('en'))?.files.decoder).toMatch(/-attention$/);
  },
);

test.skipIf(!transcriber.isInstalled())('a model that says something else does not work', async () => {
  const { shown } = await downloaded([' the', ' quick', ' brown', ' fox', ' jumps', '.']);
  expect(shown).toMatchObject({ state: 'failed', cause: 'model-broken', test: null });
  expect(shown['detail']).toMatch(/words of the test are wrong/);
});
