/** So many reads in a row from so few places: no file is that strange. */
const readsLookedAt = 4096;
const fewestPlaces = 8;
/** Asked for its size so often between two reads: the reader wants what lies behind the end. */
const sizesLookedAt = 65_536;

/**
 * Makes a source of mediabunny refuse to be read from the same places for ever. Some damage leads its reader
 * into a circle (1.61: eight bytes behind a broken Matroska element; a FLAC file without its first frame),
 * and what the reader holds in memory is had without waiting: no timer would ever interrupt it.
 * @returns the same source; a read of it, or a look at its size, throws where the reader stands still
 * @throws TypeError where the library asks its sources in another way than it did
 */
export function movingSource<Source extends object>(source: Source): Source {
  const read: unknown = Reflect.get(source, '_read');
  const sizeOf: unknown = Reflect.get(source, '_getFileSize');
  if (typeof read !== 'function' || typeof sizeOf !== 'function')
    throw new TypeError('sources are asked in another way than they were');
  const places = new Set<unknown>();
  let reads = 0;
  let sizes = 0;
  Reflect.set(source, '_getFileSize', (): unknown => {
    sizes += 1;
    if (sizes > sizesLookedAt) throw standsStill();
    return Reflect.apply(sizeOf, source, []);
  });
  Reflect.set(source, '_read', (...asked: unknown[]): unknown => {
    places.add(asked[0]);
    reads += 1;
    sizes = 0;
    if (reads === readsLookedAt) {
      if (places.size < fewestPlaces) throw standsStill();
      places.clear();
      reads = 0;
    }
    return Reflect.apply(read, source, asked);
  });
  return source;
}

const standsStill = (): Error => new Error('the reader of this file stands still');
