import type { Readable } from 'node:stream';
import { soundInput } from './ffmpeg-limits.ts';

/**
 * What ffmpeg reads: a file of this machine, in which it may seek, or a stream of Ogg pages. No other
 * container may be a stream: an index at the end of an MP4 file, or a chunk that follows the samples of an
 * AIFF or CAF file, cannot be reached through a pipe, and ffmpeg then decodes nothing.
 * @param demuxer ffmpeg's name for the container of a file, where it is known
 */
export type FfmpegInput =
  | { kind: 'file'; path: string; demuxer?: string }
  | { kind: 'ogg-stream'; bytes: Readable };

/** An input that may occupy something of this machine until it is released. */
export interface OpenFfmpegInput {
  input: FfmpegInput;
  release: () => Promise<void>;
}

/**
 * From a stream ffmpeg opens no file and no connection. Of the disk it opens that one file: none of the
 * allowed demuxers follows references to other files unless it is told to.
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
