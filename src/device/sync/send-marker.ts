import type { Marker, NewMarker } from '#contract/markers-api.ts';

type ChangedFields = Partial<Pick<Marker, 'atMs' | 'label' | 'colour'>>;

/** What is to become of a marker. */
export type MarkerChange =
  | { type: 'removed' }
  | { type: 'changed'; fields: ChangedFields }
  /** The server may not have it. If it does, only `fields` are changed. */
  | { type: 'added'; marker: NewMarker; fields: ChangedFields };

/** The requests for one marker. */
export interface MarkerCalls {
  /** Creates the marker, or returns the one that exists unchanged. */
  create: (marker: NewMarker) => Promise<Marker>;
  change: (fields: ChangedFields) => Promise<Marker>;
  remove: () => Promise<unknown>;
}

const fieldNames = ['atMs', 'label', 'colour'] as const;

/**
 * Sends what is to become of a marker. A marker has no revision, so the last change of a field wins. Sending it twice
 * is harmless.
 * @returns the marker on the server; null if it was removed
 * @throws the error of the call that failed
 */
export async function sendMarker(change: MarkerChange, calls: MarkerCalls): Promise<Marker | null> {
  if (change.type === 'removed') {
    await calls.remove();
    return null;
  }
  const { fields } = change;
  if (change.type === 'changed') return calls.change(fields);
  const there = await calls.create(change.marker);
  const isSame = fieldNames.every((name) => fields[name] === undefined || fields[name] === there[name]);
  return isSame ? there : calls.change(fields);
}
