import { callForBytes } from '#web/api/call.ts';
import type { PeaksSource } from './peaks-source.ts';
import { peaksFrom, type ReadPeaks } from './pyramid-source.ts';

/**
 * A recording's peaks on the server, read in ranges. The first range contains the header and the overview,
 * whatever the length.
 * @param points number of points known so far of a live recording, so that header and tiles stay consistent
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
    // RFC 9110 §14.2: a server may respond to a range request with the whole file.
    return response.status === 206 ? bytes : bytes.slice(range.from, range.to);
  };
  return peaksFrom(`remote:${recordingId}`, read);
}
