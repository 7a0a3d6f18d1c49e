// Finds and hears speech in a process of its own: the engine is native code, and its faults end the process.
import { hearChunk, speechOf, timedSpeech } from '#server/transcribers/words/heard-chunk.ts';
import type { CutChunk } from '#audio/speech/chunk-cutter.ts';
import { cutChunks } from './listen.ts';
import type { EngineTask, FromListener, ListenTask, ToListener } from './messages.ts';
import { loadSherpa, type Sherpa } from './sherpa.ts';
import { SpeechEngine } from './speech-engine.ts';

if (process.send === undefined) throw new Error('this module must run in a child process');
const tell = process.send.bind(process);
const send = (message: FromListener): void => {
  tell(message);
};

let waiting: ((message: ToListener) => void) | null = null;
const received: ToListener[] = [];
process.on('message', (message: ToListener) => {
  if (waiting === null) received.push(message);
  else waiting(message);
  waiting = null;
});
process.on('disconnect', () => process.exit(0));

function nextMessage(): Promise<ToListener> {
  const first = received.shift();
  if (first !== undefined) return Promise.resolve(first);
  return new Promise((resolve) => {
    waiting = resolve;
  });
}

/** Sends a message that is replied to. */
function ask(message: FromListener): Promise<ToListener> {
  const reply = nextMessage();
  send(message);
  return reply;
}

async function askForBytes(message: FromListener): Promise<Uint8Array> {
  const reply = await ask(message);
  return reply.type === 'bytes' ? reply.bytes : new Uint8Array(0);
}

const reader = {
  read: (startByte: number, endByteExclusive: number) =>
    askForBytes({ type: 'read', startByte, endByteExclusive }),
  pcm: () => askForBytes({ type: 'pcm' }),
};

interface Loaded {
  sherpa: Sherpa;
  engine: SpeechEngine | null;
}

function load({ model, ...options }: EngineTask): Loaded | null {
  let part: 'engine' | 'model' = 'engine';
  try {
    const sherpa = loadSherpa();
    part = 'model';
    return { sherpa, engine: model === null ? null : new SpeechEngine(sherpa, model, options) };
  } catch (error) {
    const message = (error instanceof Error ? error.message : String(error)).slice(0, 2000);
    send({ type: 'failed', part, message });
    return null;
  }
}

const pcmOf = (samples: Float32Array): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(2 * samples.length);
  const view = new DataView(bytes.buffer);
  samples.forEach((sample, index) => {
    view.setInt16(2 * index, Math.round(Math.max(-1, Math.min(1, sample)) * 32_767), true);
  });
  return bytes;
};

/** Hears a chunk, or sends its sound. Returns the server's reply. */
async function report(chunk: CutChunk, task: ListenTask, engine: SpeechEngine | null): Promise<ToListener> {
  const speech = speechOf(chunk, task.startMs);
  const { fromMs, toMs } = speech;
  if (chunk.kind !== 'speech') {
    const cause = chunk.kind === 'noise' ? 'no-speech' : null;
    return ask({
      type: 'heard',
      chunk: { fromMs, toMs, language: null, timing: 'chunk', words: [], doubt: null, cause },
    });
  }
  if (engine === null) {
    const spans = speech.spans.map((span) => ({
      fromMs: Math.floor(fromMs + span.fromMs),
      toMs: Math.floor(fromMs + span.toMs),
    }));
    return ask({ type: 'sound', fromMs, toMs, pcm: pcmOf(chunk.samples), speech: spans });
  }
  // The server has to know before the engine blocks, or ends, this process.
  await new Promise((resolve) => {
    tell({ type: 'hearing', fromMs, toMs } satisfies FromListener, undefined, {}, resolve);
  });
  const heard = await hearChunk(speech, async (part) =>
    timedSpeech(part, engine.hear(part.samples, task.language)),
  );
  return ask({ type: 'heard', chunk: { ...heard, words: [...heard.words], cause: null } });
}

async function listen(task: ListenTask, { sherpa, engine }: Loaded): Promise<void> {
  for await (const chunk of cutChunks(task, reader, sherpa)) {
    const reply = await report(chunk, task, engine);
    if (reply.type === 'stop') break;
  }
  send({ type: 'ended' });
}

async function run(): Promise<void> {
  const first = await nextMessage();
  if (first.type !== 'open') throw new Error('the first message must be open');
  const loaded = load(first.task);
  if (loaded === null) return;
  send({ type: 'opened' });
  for (;;) {
    const message = await nextMessage();
    if (message.type === 'listen') await listen(message.task, loaded);
  }
}

await run();
