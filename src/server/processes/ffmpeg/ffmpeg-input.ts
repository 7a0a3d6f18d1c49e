import type { Readable } from 'node:stream';
import { soundInput } from './ffmpeg-limits.ts';

/**
 * The input of ffmpeg: a local file, in which it can seek, or a stream of Ogg pages. No other container works as a
 * stream: ffmpeg cannot reach an index at the end of an MP4 file, or a chunk after the samples of an AIFF or CAF
 * file, through a pipe, and then decodes nothing.
 * @param demuxer ffmpeg's name for the container of a file, if known
 */
export type FfmpegInput =
  | { kind: 'file'; path: string; demuxer?: string }
  | { kind: 'ogg-stream'; bytes: Readable };

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
  if (input.kind === 'ogg-stream') return [...soundInput('pipe,fd'), '-f', 'ogg', '-i', 'pipe:0'];
  return [
    ...soundInput('file'),
    ...(input.demuxer === undefined ? [] : ['-f', input.demuxer]),
    '-i',
    `file:${input.path}`,
  ];
}
