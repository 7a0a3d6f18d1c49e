import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { heardRateHz } from './listen.ts';
import { until } from './take.ts';

const run = promisify(execFile);

const programs = ['pulseaudio', 'pactl', 'parec', 'paplay'] as const;
const isInstalled = (program: string): boolean => existsSync(join('/usr/bin', program));

/** The plugin by which WebKitGTK reaches the sound server. */
const gstreamerPlugin = ['x86_64-linux-gnu', 'aarch64-linux-gnu']
  .map((machine) => `/usr/lib/${machine}/gstreamer-1.0/libgstpulseaudio.so`)
  .find((path) => existsSync(path));

/** Sound that a server delivers, from a first moment on. */
export interface Ear {
  /** All sound so far, at `heardRateHz`. */
  samples: () => Float32Array;
  /** The time of the first sample, by the clock of this process. */
  startedAtMs: () => number;
  close: () => void;
}

const speaker = 'speaker';
const voice = 'voice';
const microphone = 'microphone';

/**
 * A PulseAudio server of its own, with a loudspeaker and a microphone that exist only in memory. What `speak` plays is
 * heard by the microphone.
 */
export class SoundServer {
  readonly #home: string;
  readonly #process: ChildProcess;
  readonly #children = new Set<ChildProcess>();

  private constructor(home: string, child: ChildProcess) {
    this.#home = home;
    this.#process = child;
  }

  /** Starts a server. Returns the reason if PulseAudio is not installed. */
  static async open(): Promise<SoundServer | string> {
    const missing = programs.filter((program) => !isInstalled(program));
    if (missing.length > 0) return `PulseAudio is not installed (Debian: pulseaudio, pulseaudio-utils)`;
    if (gstreamerPlugin === undefined)
      return 'GStreamer cannot reach PulseAudio (Debian: gstreamer1.0-pulseaudio)';
    const home = mkdtempSync(join(tmpdir(), 'earshot-sound-'));
    const runtime = join(home, 'runtime');
    mkdirSync(runtime, { mode: 0o700 });
    const child = spawn(
      'pulseaudio',
      [
        '-n',
        '--daemonize=no',
        '--use-pid-file=no',
        '--exit-idle-time=-1',
        '--disable-shm=true',
        '--realtime=yes',
        '--high-priority=yes',
        '--log-level=error',
        `--load=module-native-protocol-unix auth-anonymous=1 socket=${join(home, 'socket')}`,
        `--load=module-null-sink sink_name=${speaker} rate=48000 channels=2`,
        `--load=module-null-sink sink_name=${voice} rate=48000 channels=1`,
        `--load=module-remap-source master=${voice}.monitor source_name=${microphone} source_properties=device.description=TestMicrophone`,
      ],
      { stdio: 'ignore', env: { ...process.env, HOME: home, XDG_RUNTIME_DIR: runtime } },
    );
    const server = new SoundServer(home, child);
    try {
      await until(() => server.#control('info').then(() => true), 'an answer from PulseAudio', 20_000);
      await server.#control('set-default-sink', speaker);
      await server.#control('set-default-source', microphone);
      return server;
    } catch (error) {
      server.close();
      throw error;
    }
  }

  /** The variables by which a program finds this server and no other. */
  get environment(): Record<string, string> {
    return { PULSE_SERVER: `unix:${join(this.#home, 'socket')}`, PULSE_COOKIE: join(this.#home, 'cookie') };
  }

  async #control(...words: string[]): Promise<string> {
    const { stdout } = await run('pactl', words, { env: this.#childEnvironment() });
    return stdout;
  }

  #childEnvironment(): NodeJS.ProcessEnv {
    return {
      ...process.env,
      ...this.environment,
      HOME: this.#home,
      XDG_RUNTIME_DIR: join(this.#home, 'runtime'),
    };
  }

  #start(program: string, args: string[]): ChildProcess {
    const child = spawn(program, args, {
      env: this.#childEnvironment(),
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    this.#children.add(child);
    child.once('exit', () => this.#children.delete(child));
    return child;
  }

  /** Plays a WAV file into the microphone. Returns a function that stops it. */
  speak(file: string, { volume = 1 } = {}): () => void {
    const child = this.#start('paplay', [
      `--device=${voice}`,
      `--volume=${Math.round(volume * 65_536)}`,
      '--latency-msec=500',
      file,
    ]);
    return () => {
      child.kill('SIGKILL');
    };
  }

  /** Listens at the loudspeaker, or at the microphone. */
  listen(where: 'speaker' | 'microphone'): Ear {
    const chunks: Buffer[] = [];
    let startedAtMs = 0;
    const child = this.#start('parec', [
      `--device=${where === 'speaker' ? `${speaker}.monitor` : microphone}`,
      '--format=s16le',
      `--rate=${heardRateHz}`,
      '--channels=1',
      '--latency-msec=20',
      '--raw',
    ]);
    child.stdout?.on('data', (chunk: Buffer) => {
      if (startedAtMs === 0) startedAtMs = Date.now() - (chunk.length / 2 / heardRateHz) * 1000;
      chunks.push(chunk);
    });
    return {
      samples: () => {
        const pcm = Buffer.concat(chunks);
        return Float32Array.from(
          { length: Math.floor(pcm.length / 2) },
          (_, i) => pcm.readInt16LE(i * 2) / 32_768,
        );
      },
      startedAtMs: () => startedAtMs,
      close: () => {
        child.kill('SIGKILL');
      },
    };
  }

  /** Makes the loudspeaker take no sound, like a headset that wakes up slowly, or start again. */
  async setSpeakerSuspended(isSuspended: boolean): Promise<void> {
    await this.#control('suspend-sink', speaker, isSuspended ? '1' : '0');
  }

  close(): void {
    for (const child of this.#children) child.kill('SIGKILL');
    this.#process.kill('SIGKILL');
    rmSync(this.#home, { recursive: true, force: true, maxRetries: 5 });
  }
}
