import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { limits } from './limits.ts';
import { instantSchema, wholeNumberSchema } from './values.ts';

const countSchema = z.int().min(0);
const params = { name: z.string().max(100), file: z.string().max(200) };

const speechModelSchema = z
  .object({
    name: z.string(),
    title: z.string(),
    licence: z.string(),
    languages: z.array(z.string()).describe('Primary subtags of language tags.'),
    sizeBytes: countSchema,
    storedBytes: countSchema,
    state: z
      .enum(['absent', 'downloading', 'paused', 'checking', 'ready', 'untested', 'failed'])
      .describe(
        '`paused`: a part is stored. `checking`: the files are complete, and are compared with their hashes or tested. `untested`: complete, but this server could not test it.',
      ),
    cause: z
      .enum(['unreachable', 'wrong-file', 'storage-full', 'model-broken'])
      .nullable()
      .describe('Why it failed.'),
    detail: z.string().nullable().describe('What the host or the engine said.'),
    missingSpace: z
      .object({ neededBytes: countSchema, freeBytes: countSchema })
      .nullable()
      .describe('Null if the rest of the model fits. `neededBytes` includes what must stay free.'),
    test: z
      .object({
        at: instantSchema,
        wrongWords: countSchema,
        words: countSchema,
        secondsPerSecond: z.number().min(0).describe('How long a second of sound takes.'),
        gives: z.enum(['word', 'text']).describe('`word`: each word has its times.'),
      })
      .nullable()
      .describe('The result of the last test.'),
    files: z.array(z.object({ name: z.string(), sizeBytes: countSchema, storedBytes: countSchema })),
  })
  .describe('A speech model that Earshot knows.');
export type SpeechModelInfo = z.output<typeof speechModelSchema>;

const engineSchema = z
  .enum(['ready', 'missing', 'off', 'elsewhere'])
  .describe(
    '`missing`: the engine is not installed here. `off`: the operator has switched transcripts off. `elsewhere`: another server transcribes.',
  );

export const listSpeechModels = endpoint('listSpeechModels', {
  access: 'session',
  summary:
    'For admins: the speech models that Earshot knows, what is stored of them, and the state of the engine.',
  reply: z.object({
    models: z.array(speechModelSchema),
    engine: engineSchema,
    address: z.string().nullable().describe('The server that transcribes, if it is another one.'),
    host: z.string().describe('Where models are downloaded from.'),
  }),
  statuses: [200],
  errors: ['forbidden'],
});

export const downloadSpeechModel = endpoint('downloadSpeechModel', {
  access: 'session',
  summary:
    'For admins: download a speech model, or continue its download. It is tested when it is complete. Idempotent.',
  params,
  statuses: [204],
  errors: ['forbidden', 'model-unknown', 'storage-full'],
});

export const pauseSpeechModel = endpoint('pauseSpeechModel', {
  access: 'session',
  summary: 'For admins: stop the download of a speech model. What is stored stays. Idempotent.',
  params,
  statuses: [204],
  errors: ['forbidden', 'model-unknown'],
});

export const testSpeechModel = endpoint('testSpeechModel', {
  access: 'session',
  summary:
    'For admins: compare the files of a complete speech model with their hashes, and transcribe a known recording with it.',
  params,
  statuses: [204],
  errors: ['forbidden', 'model-unknown', 'not-found'],
});

export const appendSpeechModelFile = endpoint('appendSpeechModelFile', {
  access: 'session',
  summary: `For admins: append bytes of a file of a speech model at Upload-Offset. At most ${limits.appendSizeBytes} bytes. The last piece compares the hash; the bytes of a wrong file are deleted.`,
  params,
  headers: z.object({ 'upload-offset': wholeNumberSchema(0, Number.MAX_SAFE_INTEGER) }),
  bodyMediaType: 'application/partial-upload',
  statuses: [204],
  errors: [
    'validation',
    'forbidden',
    'model-unknown',
    'not-found',
    'offset-mismatch',
    'checksum-mismatch',
    'too-large',
    'unsupported-media-type',
    'storage-full',
  ],
});

export const removeSpeechModel = endpoint('removeSpeechModel', {
  access: 'session',
  summary: 'For admins: delete the files of a speech model. Idempotent.',
  params,
  statuses: [204],
  errors: ['forbidden', 'model-unknown', 'model-in-use'],
});

const transcriptSettingsSchema = z.object({
  isOn: z.boolean().describe('Whether users can have recordings transcribed.'),
  hoursPerDay: z.int().min(1).max(1000).describe('Hours of sound per user and day.'),
});

export const getTranscriptSettings = endpoint('getTranscriptSettings', {
  access: 'session',
  summary: 'For admins: whether recordings are transcribed, and how many.',
  reply: transcriptSettingsSchema,
  statuses: [200],
  errors: ['forbidden'],
});

export const changeTranscriptSettings = endpoint('changeTranscriptSettings', {
  access: 'session',
  summary: 'For admins: change whether recordings are transcribed, and how many. What is absent stays.',
  body: transcriptSettingsSchema.partial().strict(),
  reply: transcriptSettingsSchema,
  statuses: [200],
  errors: ['validation', 'forbidden'],
});
