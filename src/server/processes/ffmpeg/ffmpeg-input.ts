import type { Readable } from 'node:stream';
import { soundInput } from './ffmpeg-limits.ts';

/**
 * The input of ffmpeg: a local file, in which it can seek, a stream of Ogg pages, or what ffmpeg itself has encoded
 * to a stream, with ffmpeg's name for the container. No other container works as a
 * stream: ffmpeg cannot reach an index at the end of an MP4 file, or a chunk after the samples of an AIFF or CAF
 * file, through a pipe, and then decodes nothing.
 * @param demuxer ffmpeg's name for the container of a file, if known
 * @param head a file whose bytes replace as many at the start of the file, and how many they are
 */
export type FfmpegInput =
  | { kind: 'file'; path: string; demuxer?: string; head?: { path: string; sizeBytes: number } }
  | { kind: 'ogg-stream'; bytes: Readable }
  | { kind: 'encoded-stream'; bytes: Readable; demuxer: string };

/** An input that may hold local resources until it is released. */
export interface OpenFfmpegInput {
  input: FfmpegInput;
  release: () => Promise<void>;
}

/**
 * Returns the input arguments. For a stream, ffmpeg may open no file and no connection. For a file, it may open
 * only that file: none of the allowed demuxers follows references to other files by default.
 */
export function inputArguments(input: FfmpegInput): string[] {
  if (input.kind !== 'file')
    return [
      ...soundInput('pipe,fd'),
      '-f',
      input.kind === 'ogg-stream' ? 'ogg' : input.demuxer,
      '-i',
      'pipe:0',
    ];
  return [
    ...soundInput(input.head === undefined ? 'file' : 'concat,subfile,file'),
    ...(input.demuxer === undefined ? [] : ['-f', input.demuxer]),
    '-i',
    urlOf(input),
  ];
}

/** ffmpeg's address of a file. Neither path may contain `|` if its start is replaced. */
function urlOf({ path, head }: FfmpegInput & { kind: 'file' }): string {
  if (head === undefined) return `file:${path}`;
  return `concat:file:${head.path}|subfile,,start,${head.sizeBytes},end,0,,:file:${path}`;
}
