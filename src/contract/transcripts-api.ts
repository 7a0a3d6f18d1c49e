import { z } from 'zod';
import { maxSoundMs } from '#base/numbers/untrusted-numbers.ts';
import { endpoint } from './endpoint.ts';
import {
  correctionTextSchema,
  durationMsSchema,
  idSchema,
  instantSchema,
  languageTagSchema,
  wholeNumberSchema,
} from './values.ts';

/** Whether this server can transcribe, and what it needs. */
const transcriberSchema = z.object({
  /**
   * `no-model`: no speech model is stored. `engine-missing`: the engine is not installed. `off`: an administrator or the
   * operator has switched transcripts off.
   */
  state: z.enum(['ready', 'no-model', 'engine-missing', 'off']),
  /** The host that sound is sent to; null if no sound leaves the server. */
  address: z.string().nullable(),
});
export type TranscriberState = z.output<typeof transcriberSchema>;

const countSchema = z.int().min(0);

/** A line of a transcript, or a stretch without words. */
const transcriptLineSchema = z.object({
  fromMs: durationMsSchema,
  toMs: durationMsSchema,
  text: z.string(),
  /** From, to (on the recording's timeline), and the length of each word with the space before it, in UTF-16 units. */
  times: z.array(z.tuple([durationMsSchema, durationMsSchema, countSchema])),
  /** `chunk`: the engine gave no times of words, so they share the time of what it heard. */
  timing: z.enum(['word', 'chunk']),
  /** `loop`: the engine repeated itself. `doubtful`: more words than can be said in the time. */
  doubt: z.enum(['loop', 'doubtful']).nullable(),
  /**
   * Why there are no words: `no-speech` was found, the `engine-died` twice, there was `no-answer`, or the part is `muted`
   * for listeners and was not sent to another host.
   */
  cause: z.enum(['engine-died', 'no-answer', 'no-speech', 'muted']).nullable(),
  language: languageTagSchema.nullable(),
  /** The user's correction that replaces what the engine heard; null for the engine's own line. */
  correction: z.object({ id: idSchema, revision: z.int().min(1) }).nullable(),
});
export type TranscriptLine = z.output<typeof transcriptLineSchema>;

const transcriptSchema = z.object({
  /** `none`: it was never transcribed. `stopped` by its owner. `failed`: `cause` says why. */
  state: z.enum(['none', 'waiting', 'running', 'ready', 'stopped', 'failed']),
  /** The primary subtag of the language; null until it is known. */
  language: languageTagSchema.nullable(),
  model: z.string().nullable(),
  /**
   * Why it failed or waits: the code of an error, `engine-missing`, `model-broken`, `transcriber-refused`,
   * `transcriber-wrong-address`, or `internal`.
   */
  cause: z.string().nullable(),
  /** The newest transcription is of this part. */
  fromMs: durationMsSchema,
  toMs: durationMsSchema.nullable(),
  /** Everything before it is transcribed. */
  heardToMs: durationMsSchema,
  /** Increases with every change. */
  revision: countSchema,
  endedAt: instantSchema.nullable(),
  lines: z.array(transcriptLineSchema),
  /** `fromMs` of the next page; null after the last. */
  next: durationMsSchema.nullable(),
});
export type Transcript = z.output<typeof transcriptSchema>;

export const getTranscriber = endpoint('getTranscriber', {
  access: 'session',
  summary: 'Whether this server can transcribe recordings.',
  reply: transcriberSchema,
  statuses: [200],
  errors: [],
});

export const getTranscript = endpoint('getTranscript', {
  access: 'session',
  summary: 'The transcript of a recording from a moment on, at most 500 lines, with corrections laid over.',
  query: z.object({ fromMs: wholeNumberSchema(0, maxSoundMs).default(0) }),
  reply: transcriptSchema,
  statuses: [200],
  errors: ['validation', 'not-found'],
});

export const startTranscript = endpoint('startTranscript', {
  access: 'session',
  summary:
    'Transcribe a recording, or a part of it. What was transcribed before is replaced as the words arrive; corrections stay. While it is being transcribed, repeating the call changes nothing.',
  body: z.strictObject({
    /** The language that is spoken; by default that of the recording, or the one that the engine hears. */
    language: languageTagSchema.optional(),
    fromMs: durationMsSchema.optional(),
    toMs: durationMsSchema.optional(),
    /** Whether all of the part is transcribed, also where no speech is found. */
    hearsAll: z.boolean().default(false),
    /** The host that the user lets have the sound: `address` of the transcriber. */
    agreesToAddress: z.string().max(300).optional(),
  }),
  reply: transcriptSchema.omit({ lines: true, next: true }),
  statuses: [202],
  errors: [
    'validation',
    'not-found',
    'purged',
    'still-recording',
    'unreadable-audio',
    'conversion-unavailable',
    'transcriber-missing',
    'transcriber-needs-agreement',
    'language-unsupported',
    'transcription-limit',
  ],
});

export const stopTranscript = endpoint('stopTranscript', {
  access: 'session',
  summary: 'Stop a transcription. The words that are there stay. Idempotent.',
  statuses: [204],
  errors: ['not-found'],
});

export const removeTranscript = endpoint('removeTranscript', {
  access: 'session',
  summary: 'Delete the transcript of a recording and its corrections. Idempotent.',
  statuses: [204],
  errors: ['not-found'],
});

export const putCorrection = endpoint('putCorrection', {
  access: 'session',
  summary:
    'Write other words in place of those of a span, under an id created on the device; an empty text says that nobody speaks there. `revision` is the one that the change is based on, 0 for a new correction; if it has a later one, nothing changes: correction-changed.',
  body: z.strictObject({
    fromMs: durationMsSchema,
    toMs: durationMsSchema,
    text: correctionTextSchema,
    revision: countSchema,
  }),
  reply: z.object({ id: idSchema, revision: z.int().min(1) }),
  statuses: [200, 201],
  errors: ['validation', 'not-found', 'correction-changed', 'too-much-text', 'quota-exceeded'],
});

export const removeCorrection = endpoint('removeCorrection', {
  access: 'session',
  summary: 'Delete a correction: the words that the engine heard are shown again. Idempotent.',
  statuses: [204],
  errors: ['not-found'],
});

/** A line that contains searched words. */
const transcriptHitSchema = z.object({
  fromMs: durationMsSchema,
  toMs: durationMsSchema,
  /** The start of the first found word. */
  atMs: durationMsSchema,
  text: z.string(),
  /** From, to, in UTF-16 units of `text`. */
  ranges: z.array(z.tuple([countSchema, countSchema])),
});
export type TranscriptHit = z.output<typeof transcriptHitSchema>;

export const findInTranscript = endpoint('findInTranscript', {
  access: 'session',
  summary: 'The lines of a transcript that contain all searched words, at most 500, in order of time.',
  query: z.object({ q: z.string().trim().min(1).max(200) }),
  reply: z.object({ items: z.array(transcriptHitSchema), isComplete: z.boolean() }),
  statuses: [200],
  errors: ['validation', 'not-found'],
});
