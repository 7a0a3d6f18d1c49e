import type { LogEntry } from '#device/streams/log-entry.ts';

/** The part of a slot file that recovery works on. */
export interface ReplayedFile {
  readonly sizeBytes: number;
  overwrite(bytes: Uint8Array, atBytes: number): void;
}

/**
 * Puts what the log has over what the file has: the log is never torn, the file may be anything. An entry
 * that would leave a hole is of no use, nor is any after it.
 */
export async function replayLog(
  file: ReplayedFile,
  entries: AsyncIterable<LogEntry> | Iterable<LogEntry>,
): Promise<void> {
  for await (const entry of entries) {
    if (entry.offsetBytes > file.sizeBytes) return;
    file.overwrite(entry.bytes, entry.offsetBytes);
  }
}
