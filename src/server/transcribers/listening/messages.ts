import { z } from 'zod';
import { maxChunkMs } from '#audio/speech/chunk-cutter.ts';
import { samplesPerMs } from '#audio/speech/point-levels.ts';
import { maxSoundMs } from '#base/numbers/untrusted-numbers.ts';
import type { SpeechModel } from '#server/transcribers/transcriber.ts';

/** What the process loads. Without a model it finds speech and sends its sound. */
export interface EngineTask {
  model: Pick<SpeechModel, 'kind' | 'files'> | null;
  /** Whether the tokens of the model have letters for bytes. */
  hasLetters: boolean;
  threads: number;
}

/** A part of a segment's sound. */
export interface ListenTask {
  kind: 'ogg' | 'pcm';
  /** Of an Ogg file; 0 for PCM. */
  sizeBytes: number;
  startMs: number;
  fromMs: number;
  toMs: number;
  cutsMs: readonly number[];
  language: string | null;
  /** Whether everything is heard, without looking for speech. */
  hearsAll: boolean;
}

/** What the server sends: a task, and one reply for each message that waits for one. */
export type ToListener =
  | { type: 'open'; task: EngineTask }
  | { type: 'listen'; task: ListenTask }
  /** No bytes: the end of the sound. */
  | { type: 'bytes'; bytes: Uint8Array }
  | { type: 'next' }
  /** The rest of the sound is not wanted. */
  | { type: 'stop' };

const momentSchema = z
  .number()
  .int()
  .nonnegative()
  .max(maxSoundMs * 2);
const spanShape = { fromMs: momentSchema, toMs: momentSchema };
const maxPcmBytes = (maxChunkMs + 1) * samplesPerMs * 2;

const chunkSchema = z.object({
  ...spanShape,
  language: z.string().max(35).nullable(),
  timing: z.enum(['word', 'chunk']),
  words: z.array(z.object({ ...spanShape, text: z.string().min(1).max(2000) })).max(2000),
  doubt: z.enum(['loop', 'doubtful']).nullable(),
  cause: z.enum(['no-speech']).nullable(),
});

/** What the process sends. It reads foreign bytes, so nothing that it says is trusted. */
export const fromListenerSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('opened') }),
  /** The engine or the model can't be loaded. */
  z.object({ type: z.literal('failed'), part: z.enum(['engine', 'model']), message: z.string().max(2000) }),
  z.object({ type: z.literal('read'), startByte: z.number().int(), endByteExclusive: z.number().int() }),
  z.object({ type: z.literal('pcm') }),
  /** Is followed by `heard`, unless the engine ends the process. */
  z.object({ type: z.literal('hearing'), ...spanShape }),
  z.object({ type: z.literal('heard'), chunk: chunkSchema }),
  /** Speech to be heard elsewhere. */
  z.object({
    type: z.literal('sound'),
    ...spanShape,
    pcm: z.instanceof(Uint8Array).refine(({ length }) => length <= maxPcmBytes && length % 2 === 0),
    speech: z.array(z.object(spanShape)).max(10_000),
  }),
  z.object({ type: z.literal('ended') }),
]);

export type FromListener = z.output<typeof fromListenerSchema>;
export type SpeechSound = Extract<FromListener, { type: 'sound' }>;
