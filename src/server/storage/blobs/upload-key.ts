import type { UploadStream } from '#contract/uploads-api.ts';

/** Returns the blob key for one stream of one segment. */
export const blobKeyOf = (upload: { recordingId: string; stream: UploadStream; index: number }): string =>
  `recordings/${upload.recordingId}/${upload.stream}-${String(upload.index).padStart(4, '0')}`;
