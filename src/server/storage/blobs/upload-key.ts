import type { UploadStream } from '#contract/uploads-api.ts';

/** Where the bytes of one stream of one segment rest. */
export const blobKeyOf = (upload: { recordingId: string; stream: UploadStream; index: number }): string =>
  `recordings/${upload.recordingId}/${upload.stream}-${String(upload.index).padStart(4, '0')}`;
