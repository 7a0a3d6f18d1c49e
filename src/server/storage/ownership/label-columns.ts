/** The columns of a marker, without its search words: those may be longer than all else. */
export const markerColumns = [
  'id',
  'recording_id',
  'at_ms',
  'label',
  'colour',
  'created_by',
  'created_at',
] as const;

/** The columns of a note, without its search words. */
export const noteColumns = [
  'id',
  'recording_id',
  'from_ms',
  'to_ms',
  'text',
  'revision',
  'created_by',
  'created_at',
  'updated_at',
] as const;
