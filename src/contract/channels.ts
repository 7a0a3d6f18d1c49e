import type { DownloadFormat } from './exports-api.ts';

/** The most channels of a recording. Containers and ffmpeg know more, but no microphones. */
export const maxChannels = 255;

/**
 * The most channels that clients state of a file, and that account exports contain: earlier versions accept no more.
 * The server counts the channels of each import.
 */
export const maxStatedChannels = 8;

/** How many channels a lossless format holds (RFC 9639 §9.1.3). */
const formatChannels: Partial<Record<DownloadFormat, number>> = { flac: 8 };

/**
 * The most channels that a download of a format can have. Lossy formats have a mix of all, and the original has what
 * it has.
 */
export const maxChannelsOf = (format: DownloadFormat): number => formatChannels[format] ?? maxChannels;
