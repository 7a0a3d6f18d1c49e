/**
 * This many consecutive reads from fewer than `minPlaces` offsets mean that the reader loops; no real file is
 * read like that.
 */
const readsPerCheck = 4096;
const minPlaces = 8;
/** This many size requests between two reads mean that the reader wants bytes after the end. */
const maxSizeRequests = 65_536;

/**
 * Makes a mediabunny source throw when it is read from the same offsets forever. Some damage sends its reader in
 * circles (1.61: eight bytes after a broken Matroska element; a FLAC file without its first frame), and it reads
 * from memory synchronously, so no timer could ever interrupt it.
 * @returns the same source; a read or a size request throws when the reader loops
 * @throws TypeError if the library no longer calls its sources in the expected way
 */
export function movingSource<Source extends object>(source: Source): Source {
  const read: unknown = Reflect.get(source, '_read');
  const sizeOf: unknown = Reflect.get(source, '_getFileSize');
  if (typeof read !== 'function' || typeof sizeOf !== 'function')
    throw new TypeError('mediabunny no longer calls its sources in the expected way');
  const places = new Set<unknown>();
  let reads = 0;
  let sizes = 0;
  Reflect.set(source, '_getFileSize', (): unknown => {
    sizes += 1;
    if (sizes > maxSizeRequests) throw stuckError();
    return Reflect.apply(sizeOf, source, []);
  });
  Reflect.set(source, '_read', (...given: unknown[]): unknown => {
    places.add(given[0]);
    reads += 1;
    sizes = 0;
    if (reads === readsPerCheck) {
      if (places.size < minPlaces) throw stuckError();
      places.clear();
      reads = 0;
    }
    return Reflect.apply(read, source, given);
  });
  return source;
}

const stuckError = (): Error => new Error('the reader of this file is stuck');
