import { getTake } from '#workers/encode/takes-store.ts';

async function filesOf(takeId: string, kind: 'audio' | 'peaks'): Promise<File[]> {
  const record = await getTake(takeId);
  if (!record) throw new TypeError(`no take ${takeId} on this device`);
  const root = await navigator.storage.getDirectory();
  const folder = await (await root.getDirectoryHandle('takes')).getDirectoryHandle(takeId);
  return Promise.all(record.segments.map(async ({ index }) => {
    const handle = await folder.getFileHandle(`${String(index).padStart(4, '0')}.${kind}`);
    return handle.getFile();
  }));
}

/** An object URL of a take's audio; several segments are one chained Ogg stream (RFC 3533 §4). The caller revokes it. */
export async function localTakeAudioUrl(takeId: string): Promise<string> {
  return URL.createObjectURL(new Blob(await filesOf(takeId, 'audio'), { type: 'audio/ogg; codecs=opus' }));
}

/** A take's peaks: minimum, maximum, minimum, maximum…, a hundred points a second. */
export async function localTakePeaks(takeId: string): Promise<Int8Array> {
  const bytes = await new Blob(await filesOf(takeId, 'peaks')).arrayBuffer();
  return new Int8Array(bytes, 0, bytes.byteLength - (bytes.byteLength % 2));
}
