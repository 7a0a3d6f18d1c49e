import { callForBytes } from '#web/api/call.ts';
import type { PeaksSource } from './peaks-source.ts';
import { peaksFrom, type ReadPeaks } from './pyramid-source.ts';

/**
 * A recording's peaks on the server, read in pieces: the first piece holds the header and the overview of any
 * length.
 * @param points for a recording that still grows: how many points are known, so that header and tiles stay consistent
 */
export function serverPeaks(recordingId: string, points?: number): PeaksSource {
  const read: ReadPeaks = async (range, signal) => {
    const response = await callForBytes('getPeaks', {
      params: { recordingId },
      query: points === undefined ? {} : { points },
      range: `bytes=${range.from}-${range.to - 1}`,
      signal,
    });
    const bytes = new Uint8Array(await response.arrayBuffer());
    // RFC 9110 §14.2: a server may answer a range with the whole.
    return response.status === 206 ? bytes : bytes.slice(range.from, range.to);
  };
  return peaksFrom(`remote:${recordingId}`, read);
}
