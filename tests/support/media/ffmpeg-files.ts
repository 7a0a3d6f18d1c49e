import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where the tone in a generated file starts, after silence. */
export const soundsFromMs = 1000;

/** ffmpeg's arguments for a tone after a second of silence. */
export const toneInput = (seconds: number, { rateHz = 48_000, hz = 440 } = {}): string[] => [
  '-f',
  'lavfi',
  '-i',
  `aevalsrc='if(lt(t,${soundsFromMs / 1000}),0,0.5*sin(2*PI*${hz}*t))':s=${rateHz}:d=${seconds}`,
];

/**
 * Half a minute of the same tone in two channels, with noise, so that variable-bit-rate encoders use all bits they
 * may.
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

const maxBytes = 2 ** 30;

/** Runs ffmpeg in a temporary folder that contains `inputs`, and returns the file it created. */
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

/** A tone in a file of this format; `options` come before its name. */
export const toneFile = (
  name: string,
  options: readonly string[],
  { seconds = 6, rateHz = 48_000 } = {},
): Buffer => ffmpegFile(name, [...toneInput(seconds, { rateHz }), ...options]);

/** What ffmpeg writes to a pipe, where the muxer cannot seek back. */
export const pipedFile = (args: readonly string[]): Buffer =>
  execFileSync('ffmpeg', ['-v', 'error', '-nostdin', ...args, 'pipe:1'], { maxBuffer: maxBytes });

/** A tone written to a pipe. */
export const pipedTone = (options: readonly string[], { seconds = 6, rateHz = 48_000 } = {}): Buffer =>
  pipedFile([...toneInput(seconds, { rateHz }), ...options]);

/** The same packets in another container, or with other timestamps. */
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

/** Decodes a file as a player does and reports its length, where its tone starts and its start time. */
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
    const mono = ['-map', '0:a:0', '-af', 'pan=mono|c0=c0', '-ar', String(decodedRateHz)];
    const pcm = pipedFile(['-i', path, ...mono, '-f', 's16le']);
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
