import type { PyramidHeader } from '#audio/peaks/peaks-pyramid.ts';
import { headerOf, layoutOf, pointBytes, tileBytes, type PyramidRange } from './pyramid-layout.ts';
import type { PeaksSource } from './peaks-source.ts';

const firstRequest: PyramidRange = { from: 0, to: 8192 };

/** Reads bytes `from` to `to` (exclusive) of a recording's pyramid file. */
export type ReadPeaks = (range: PyramidRange, signal: AbortSignal) => Promise<Uint8Array<ArrayBuffer>>;

/** Creates a peaks source from a function that reads ranges of a pyramid file. */
export function peaksFrom(key: string, read: ReadPeaks): PeaksSource {
  let opened: Promise<{ header: PyramidHeader; start: Uint8Array<ArrayBuffer> }> | null = null;
  // All callers share this small request, so no caller's signal may abort it.
  const open = () => {
    opened ??= read(firstRequest, new AbortController().signal).then((start) => ({
      header: headerOf(start),
      start,
    }));
    opened.catch(() => {
      opened = null;
    });
    return opened;
  };
  const points = async (range: PyramidRange, signal: AbortSignal): Promise<Int8Array> => {
    const { start } = await open();
    if (range.to <= range.from) return new Int8Array();
    const bytes = range.to <= start.length ? start.slice(range.from, range.to) : await read(range, signal);
    return new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  };
  return {
    key,
    layout: async () => layoutOf((await open()).header),
    tile: async (level, index, signal) => points(tileBytes((await open()).header, level, index), signal),
    finest: async (range, signal) => {
      const { header } = await open();
      return points(pointBytes(header, header.levels.length - 1, range), signal);
    },
  };
}
