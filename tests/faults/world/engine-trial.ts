import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RecordingDetails, RecordingPage } from '#contract/recordings.ts';
import { freePort } from '#scripts/free-port.ts';
import { balance, type Account } from '#tests/faults/signal/account.ts';
import { readCodes, type Piece } from '#tests/faults/signal/read-codes.ts';
import { ApiClient, playedBytes } from '#tests/support/api-client.ts';
import { EarshotServer } from '#tests/support/earshot-server.ts';
import { openChromium } from './chromium-engine.ts';
import { ChaosProxy } from './chaos-proxy.ts';
import { openFirefox, openWebKit, type Engine, type EngineOptions } from './engines.ts';
import { decode, heardRateHz, signalFile } from './listen.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { Random } from './random.ts';
import { SoundServer, type Ear } from './sound-server.ts';
import { capturedBy, finished, until } from './take.ts';
import { installProbe, type CaptureMark } from './trial.ts';

export const engineNames = ['Chromium', 'Firefox', 'WebKitGTK'] as const;
export type EngineName = (typeof engineNames)[number];
/** The engines whose faults the suite for Chromium does not cover. */
export const otherEngines = ['Firefox', 'WebKitGTK'] as const;

const openers: Record<EngineName, (port: number, options: EngineOptions) => Promise<Engine | string>> = {
  Chromium: openChromium,
  Firefox: (port, options) => openFirefox(port, '', options),
  WebKitGTK: openWebKit,
};

/** How the app records: by encoding PCM itself, or by the browser's own recorder. */
export type Recording = 'PCM' | 'own recorder';

/** How long the sound output takes to start, in ms: a headset that wakes up, or (null) no output at all. */
export type OutputStart = number | null;

/** Holds back every audio context until the sound output has started. */
const slowOutput = (startMs: OutputStart): string => `
  const Plain = globalThis.AudioContext;
  const resume = Plain.prototype.resume;
  globalThis.AudioContext = class extends Plain {
    constructor(options) {
      super(options);
      this.startsAtMs = Date.now() + ${startMs ?? 'Infinity'};
      void this.suspend();
    }
    async resume() {
      await new Promise((done) => { if (Number.isFinite(this.startsAtMs)) setTimeout(done, this.startsAtMs - Date.now()); });
      return resume.call(this);
    }
  };`;

/** Runs in every page before the app: no speech processing, and the times of the press and of the microphone. */
const pageScript = ({ recording = 'PCM', outputStartMs = 0 }: EngineTrialOptions): string => `
  try { (${installProbe.toString()})(); } catch {}
  ${recording === 'PCM' ? '' : 'delete globalThis.AudioEncoder;'}
  ${outputStartMs === 0 ? '' : slowOutput(outputStartMs)}
  globalThis.problems = [];
  addEventListener('error', ({ message }) => { problems.push(String(message)); });
  addEventListener('unhandledrejection', ({ reason }) => { problems.push(String(reason)); });
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => { problems.push(violatedDirective + ' ' + blockedURI); });
  const write = console.error;
  console.error = (...words) => { problems.push(words.map(String).join(' ')); write.apply(console, words); };
  addEventListener('click', () => { globalThis.pressedAtMs ??= Date.now(); }, true);
  const devices = navigator.mediaDevices;
  if (devices) {
    const open = devices.getUserMedia.bind(devices);
    devices.getUserMedia = async (wanted) => {
      const stream = await open(wanted);
      globalThis.microphoneAtMs ??= Date.now();
      return stream;
    };
  }`;

export interface EngineTrialOptions {
  engine: EngineName;
  recording?: Recording;
  outputStartMs?: OutputStart;
  signedOut?: boolean;
  /** The folder of the browser; by default a fresh one. */
  profile?: string;
}

interface Parts {
  sound: SoundServer;
  server: EarshotServer;
  proxy: ChaosProxy;
  options: EngineTrialOptions;
}

const shownClock = `
  const text = document.querySelector('[role=timer]')?.textContent.replace(/[^\\d:.]/g, '') ?? '0';
  return text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0) * 1000;`;

const callOf = (path: string, body?: unknown): string => `
  const reply = await fetch(${JSON.stringify(path)}, { method: 'POST', headers: { 'content-type': 'application/json', 'x-requested-with': 'earshot' }${body === undefined ? '' : `, body: ${JSON.stringify(JSON.stringify(body))}`} });
  if (!reply.ok) throw new Error(await reply.text());`;

/**
 * One server, one user, one browser of another engine and a sound server of their own: what its microphone hears is
 * the coded signal.
 */
export class EngineTrial {
  readonly random: Random;
  readonly server: EarshotServer;
  readonly proxy: ChaosProxy;
  readonly sound: SoundServer;
  readonly client: ApiClient;
  readonly profile: string;
  readonly options: EngineTrialOptions;
  user: { email: string; password: string } = { email: '', password: '' };
  #engine: Engine | null = null;
  /** Hears what the microphone hears, without a browser. */
  readonly #control: Ear;

  constructor(seed: number, { sound, server, proxy, options }: Parts) {
    this.random = new Random(seed);
    this.server = server;
    this.proxy = proxy;
    this.sound = sound;
    this.options = options;
    this.client = new ApiClient(server.url);
    this.profile = options.profile ?? mkdtempSync(join(tmpdir(), 'earshot-engine-'));
    this.#control = sound.listen('microphone');
    sound.speak(signalFile());
  }

  get engine(): Engine {
    if (!this.#engine) throw new Error('no browser is open');
    return this.#engine;
  }

  get url(): string {
    return this.proxy.url;
  }

  /** Opens another browser of the same engine, with the same loudspeaker. Its caller closes it. */
  async openAnother(profile?: string): Promise<Engine | string> {
    return openers[this.options.engine](await freePort(), {
      profile,
      sound: this.sound,
      script: pageScript(this.options),
    });
  }

  /** Opens the browser on its profile, and the app in it. Returns the reason if it is not installed. */
  async open(): Promise<string | null> {
    const opened = await this.openAnother(this.profile);
    if (typeof opened === 'string') return opened;
    this.#engine = opened;
    await until(() => opened.goTo(this.url).then(() => true), 'the app', 60_000);
    return null;
  }

  call(path: string, body?: unknown): Promise<unknown> {
    return until(
      () => this.engine.evaluate(`${callOf(path, body)} return true;`),
      `a call of ${path} by the page`,
      20_000,
    );
  }

  async signIn(): Promise<void> {
    await this.call('/auth/login', this.user);
    await this.engine.goTo(this.url);
  }

  /** Signs in and adds the recording of this device to the account. */
  async signInAndClaim(): Promise<void> {
    await this.call('/auth/login', this.user);
    await this.engine.goTo(`${this.url}/library`);
    const hasRecording = async () =>
      ((await this.client.json('GET', '/api/recordings')) as RecordingPage).items.length > 0;
    // A page that saw the recording being made, and then the sign-in, asks nothing.
    await until(
      async () =>
        (await hasRecording()) || (await this.engine.press('Add to my library').then(() => true)) || null,
      'the offer to add the recording',
      30_000,
    ).catch(async (error: unknown) => {
      throw new Error(`${String(error)}; the screen says: ${(await this.text()).slice(0, 400)}`);
    });
  }

  async press(name: string): Promise<void> {
    let reason = '';
    await until(
      () =>
        this.engine.press(name).then(
          () => true,
          (error: unknown) => {
            reason = String(error).slice(0, 400);
            return null;
          },
        ),
      `a press of ${name}`,
      30_000,
    ).catch((error: unknown) => {
      throw new Error(`${String(error)}; ${reason}`);
    });
  }

  /** The captured time that the screen shows, in ms. */
  async clockMs(): Promise<number> {
    return Number(await this.engine.evaluate(shownClock));
  }

  async untilClock(ms: number): Promise<void> {
    await until(async () => (await this.clockMs()) >= ms || null, `${ms} ms on the clock`, 60_000);
  }

  /** Lets the take run for `ms` more milliseconds, by the clock on the screen. */
  async goOnFor(ms: number): Promise<void> {
    await this.untilClock((await this.clockMs()) + ms);
  }

  /**
   * Waits until an expression is true in the page.
   * @throws Error with the text of the page
   */
  async untilTrue(expression: string, what: string, withinMs = 60_000): Promise<void> {
    await until(
      async () => (await this.engine.evaluate(`return ${expression};`)) === true || null,
      what,
      withinMs,
    ).catch(async (error: unknown) => {
      throw new Error(`${String(error)}; the screen says: ${(await this.text()).slice(0, 600)}`);
    });
  }

  untilText(words: string): Promise<void> {
    return this.untilTrue(`document.body.innerText.includes(${JSON.stringify(words)})`, `the words ${words}`);
  }

  async text(): Promise<string> {
    return String(await this.engine.evaluate('return document.body.innerText;'));
  }

  /** The moments of the press and of the open microphone in the page, by the clock. */
  async pressTimes(): Promise<{ pressedAtMs: number; microphoneAtMs: number }> {
    return (await this.engine.evaluate('return { pressedAtMs, microphoneAtMs };')) as {
      pressedAtMs: number;
      microphoneAtMs: number;
    };
  }

  /** The pieces of the signal that the microphone heard, and when the first sample came. */
  control(): { pieces: Piece[]; startedAtMs: number } {
    return {
      pieces: readCodes(this.#control.samples(), heardRateHz),
      startedAtMs: this.#control.startedAtMs(),
    };
  }

  /** The time of the signal that the microphone heard at a moment of the clock. */
  signalAt(atMs: number): number {
    const { pieces, startedAtMs } = this.control();
    const heardMs = atMs - startedAtMs;
    const piece = pieces.find(({ toMs }) => toMs >= heardMs) ?? pieces.at(-1);
    if (!piece) throw new Error('the microphone heard no signal');
    return heardMs + piece.offsetMs;
  }

  /** Returns a function from wall-clock time to the captured time that the take's worker reported. */
  async capturedAt(): Promise<(atMs: number) => number> {
    return capturedBy((await this.engine.evaluate('return earshotMarks.slice(-12);')) as CaptureMark[]);
  }

  /**
   * Waits for the recording on the server and compares it with what the microphone heard until a stop at a moment of
   * the clock, or with what was captured until a kill, in ms of the timeline.
   */
  async account(end: { stoppedAtMs: number } | { capturedMs: number }): Promise<EngineAccount> {
    const recording = await finished({ client: this.client }, 60_000);
    const samples = await decode(await playedBytes(this.client, recording.id));
    const pieces = readCodes(samples, heardRateHz);
    const timelineMs = (samples.length / heardRateHz) * 1000;
    const [first, last] = [pieces[0], pieces.at(-1)];
    if (!first || !last) throw new Error(`no signal in ${Math.round(timelineMs)} ms of sound`);
    const cutMs = recording.gaps.reduce((sum, gap) => sum + (gap.cutMs ?? 0), 0);
    const endMs =
      'capturedMs' in end ? end.capturedMs - cutMs : this.signalAt(end.stoppedAtMs) - last.offsetMs;
    const account = balance(pieces, recording.gaps, {
      timelineMs,
      placeMs: 500,
      expectedEndMs: endMs + cutMs,
    });
    return {
      ...account,
      recording,
      pieces,
      firstSignalMs: first.fromMs + first.offsetMs,
      leadMs: first.fromMs,
      missingMs: missingIn(pieces),
      tailMs: Math.max(0, endMs - last.toMs),
    };
  }

  async dispose(): Promise<void> {
    this.client.close();
    await this.#engine?.close();
    await this.proxy.close();
    await this.server.dispose();
    this.#control.close();
    this.sound.close();
    if (this.options.profile === undefined)
      rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** How much of the signal is missing between the first and the last piece. */
function missingIn(pieces: Piece[]): number {
  const [first, last] = [pieces[0], pieces.at(-1)];
  if (!first || !last) return 0;
  const spanMs = last.toMs + last.offsetMs - (first.fromMs + first.offsetMs);
  return Math.max(0, spanMs - pieces.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0));
}

export interface EngineAccount extends Account {
  recording: RecordingDetails;
  pieces: Piece[];
  /** The time of the signal at the first sound of the recording. */
  firstSignalMs: number;
  /** How much of the signal is missing between the first and the last sound, named or not. */
  missingMs: number;
  /** How much of the signal is missing after the last sound. */
  tailMs: number;
  /** The silence before the first sound of the recording. */
  leadMs: number;
}

async function openParts(options: EngineTrialOptions): Promise<Parts | string> {
  const sound = await SoundServer.open();
  if (typeof sound === 'string') return sound;
  const port = await freePort();
  const server = await EarshotServer.launch({ PUBLIC_URL: `http://localhost:${port}` });
  return { sound, server, proxy: await ChaosProxy.open(server.url, port), options };
}

/** Creates a trial in another engine, runs `work` with it and cleans up. Returns the reason if it cannot run here. */
export async function withEngineTrial<T>(
  seed: number,
  options: EngineTrialOptions,
  work: (trial: EngineTrial) => Promise<T>,
): Promise<T | string> {
  const trial = await oneAtATime(async () => {
    const parts = await openParts(options);
    if (typeof parts === 'string') return parts;
    const created = new EngineTrial(seed, parts);
    try {
      created.user = await created.client.signUp();
      const reason = await created.open();
      if (reason !== null) {
        await created.dispose();
        return reason;
      }
      if (!options.signedOut) await created.signIn();
      return created;
    } catch (error) {
      await created.dispose();
      throw error;
    }
  });
  if (typeof trial === 'string') return trial;
  try {
    return await work(trial);
  } finally {
    await trial.dispose();
  }
}
