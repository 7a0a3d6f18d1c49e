import { formatTimecode } from '#base/format-timecode.ts';

/** The time since this process started, and two spaces: the start of each line of a long run. */
export const timeSoFar = (): string => `${formatTimecode(process.uptime() * 1000)}  `;
