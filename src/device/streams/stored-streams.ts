import { endOf } from '#device/records/log-entry.ts';
import { entriesOf, extentOf } from './stream-log.ts';
import { findSlotFile } from './slot-pool.ts';
import type { StreamPlace } from '#device/records/stream-places.ts';

const blobBytes = 4 * 1024 * 1024;

/**
 * The current bytes of a stream from its file and its log, without waiting for its writer. An Ogg stream that is
 * being written may end within a page. Memory use stays flat because the browser stores the contents of Blobs
 * elsewhere.
 */
export async function readStream({ uploadId, slot }: StreamPlace): Promise<Blob> {
  const file = slot === null ? null : await findSlotFile(slot).then((handle) => handle?.getFile());
  const extent = await extentOf(uploadId);
  if (file && (extent === null || extent.endBytes <= file.size)) return file;
  const logFromBytes = extent?.beginnings[0] ?? 0;
  if (file && file.size < logFromBytes) return file;
  const logged = await readLogged(uploadId);
  return new Blob(file ? [file.slice(0, logFromBytes), logged] : [logged]);
}

async function readLogged(uploadId: string): Promise<Blob> {
  const blobs: Blob[] = [];
  let pieces: Uint8Array<ArrayBuffer>[] = [];
  let piecesBytes = 0;
  let endBytes: number | null = null;
  for await (const entry of entriesOf(uploadId)) {
    if (entry.isSketch || entry.offsetBytes !== (endBytes ?? entry.offsetBytes)) break;
    endBytes = endOf(entry);
    pieces.push(entry.bytes);
    piecesBytes += entry.bytes.length;
    if (piecesBytes < blobBytes) continue;
    blobs.push(new Blob(pieces));
    pieces = [];
    piecesBytes = 0;
  }
  return new Blob([...blobs, ...pieces]);
}
