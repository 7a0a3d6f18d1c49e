import { day, minute } from '#base/duration.ts';
import { limits } from '#contract/limits.ts';
import { newId } from '#device/new-id.ts';
import type { ImportRecord } from '#workers/import/import-record.ts';

/** A file name that the server accepts: one line, not too long. */
function cleanName(name: string): string {
  const line = name.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
  return line.slice(-limits.import.nameLength).toWellFormed().trim() || '–';
}

/** A file of which the system states no date has that of the moment in which the page opened it, or none. */
const modifiedAtMsOf = ({ lastModified }: File, nowMs: number): number | null =>
  lastModified > day && lastModified < nowMs - minute ? lastModified : null;

/** The record of a file that was just chosen, or shared with an id. */
export function newRecord(file: File, ownerId: string | null, id = newId()): ImportRecord {
  const nowMs = Date.now();
  return {
    id,
    ownerId,
    name: cleanName(file.name),
    mediaType: file.type.replace(/[^\x20-\x7e]/g, '').slice(0, limits.import.mediaTypeLength),
    sizeBytes: file.size,
    timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    modifiedAtMs: modifiedAtMsOf(file, nowMs),
    facts: null,
    sha256: null,
    hasCopy: false,
    mayRepeat: false,
    isRegistered: false,
    isPaused: false,
    upload: null,
    audioUploadId: newId(),
    peaksUploadId: newId(),
    peaks: 'unknown',
    epoch: 0,
    sentBytes: 0,
    cancelledAtMs: null,
    createdAtMs: nowMs,
  };
}
