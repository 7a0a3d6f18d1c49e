import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** From here on a made file sounds; before, it is silent. */
export const soundsFromMs = 1000;

/** ffmpeg's input of a tone that begins after a second of silence. */
export const toneInput = (seconds: number, { rateHz = 48_000, hz = 440 } = {}): string[] => [
  '-f',
  'lavfi',
  '-i',
  `aevalsrc='if(lt(t,${soundsFromMs / 1000}),0,0.5*sin(2*PI*${hz}*t))':s=${rateHz}:d=${seconds}`,
];

/**
 * Half a minute of the same tone in two channels, with noise on it, so that encoders of a variable bit rate
 * need all that they are given.
 */
export function noisyTone(): Buffer {
  const channel = (number: number) =>
    `if(lt(t,${soundsFromMs / 1000}),0,0.4*sin(2*PI*440*t)+0.2*random(${number})-0.1)`;
  return ffmpegFile('noisy.wav', [
    '-f',
    'lavfi',
    '-i',
    `aevalsrc='${channel(0)}|${channel(1)}':s=48000:d=30`,
  ]);
}

const mostBytes = 2 ** 30;

/**
 * Runs ffmpeg in a folder of its own and answers with the file that it made. `inputs` are put there before.
 */
export function ffmpegFile(
  name: string,
  args: readonly string[],
  inputs: Readonly<Record<string, Uint8Array>> = {},
): Buffer {
  const directory = mkdtempSync(join(tmpdir(), 'earshot-media-'));
  try {
    for (const [file, bytes] of Object.entries(inputs)) writeFileSync(join(directory, file), bytes);
    execFileSync('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args, name], { cwd: directory });
    return readFileSync(join(directory, name));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** A tone as a file of this kind; `options` stand before its name. */
export const toneFile = (
  name: string,
  options: readonly string[],
  { seconds = 6, rateHz = 48_000 } = {},
): Buffer => ffmpegFile(name, [...toneInput(seconds, { rateHz }), ...options]);

/** A tone written into a pipe, in which no muxer can go back. */
export function pipedTone(options: readonly string[], { seconds = 6, rateHz = 48_000 } = {}): Buffer {
  const { stdout, status } = spawnSync(
    'ffmpeg',
    ['-v', 'error', '-nostdin', ...toneInput(seconds, { rateHz }), ...options, 'pipe:1'],
    { maxBuffer: mostBytes },
  );
  if (status !== 0) throw new Error(`ffmpeg ended with ${status}`);
  return stdout;
}

/** The same packets in another container, or at other times. */
export const remuxedFile = (
  name: string,
  from: Readonly<Record<string, Uint8Array>>,
  options: readonly string[],
): Buffer =>
  ffmpegFile(name, [...Object.keys(from).flatMap((file) => ['-i', file]), '-c', 'copy', ...options], from);

export interface Decoded {
  lengthMs: number;
  soundsFromMs: number | null;
  startMs: number;
  codec: string;
  sampleRateHz: number;
  channels: number;
}

const decodedRateHz = 16_000;

/** Decodes a file as a player does: how long it is, when it begins to sound, and where its clock begins. */
export function decodedFile(bytes: Uint8Array): Decoded {
  const directory = mkdtempSync(join(tmpdir(), 'earshot-media-'));
  const path = join(directory, 'file');
  try {
    writeFileSync(path, bytes);
    const probed = execFileSync('ffprobe', [
      '-v',
      'error',
      '-select_streams',
      'a:0',
      '-show_entries',
      'stream=codec_name,sample_rate,channels,start_time',
      '-of',
      'json',
      path,
    ]).toString();
    const {
      streams: [stream = {}] = [],
    }: { streams?: { codec_name?: string; sample_rate?: string; channels?: number; start_time?: string }[] } =
      JSON.parse(probed);
    const pcm = execFileSync(
      'ffmpeg',
      [
        '-v',
        'error',
        '-i',
        path,
        '-map',
        '0:a:0',
        '-af',
        'pan=mono|c0=c0',
        '-ar',
        String(decodedRateHz),
        '-f',
        's16le',
        'pipe:1',
      ],
      { maxBuffer: mostBytes },
    );
    const samples = new Int16Array(pcm.buffer, pcm.byteOffset, Math.floor(pcm.length / 2));
    const first = samples.findIndex((sample) => Math.abs(sample) > 2000);
    const startMs = Number(stream.start_time ?? 0) * 1000;
    return {
      lengthMs: (samples.length * 1000) / decodedRateHz,
      soundsFromMs: first < 0 ? null : (first * 1000) / decodedRateHz,
      startMs: Number.isFinite(startMs) ? startMs : 0,
      codec: stream.codec_name ?? '',
      sampleRateHz: Number(stream.sample_rate ?? 0),
      channels: stream.channels ?? 0,
    };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
