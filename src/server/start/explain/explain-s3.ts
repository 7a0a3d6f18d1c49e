import { parseStorageUrl } from '#server/storage/blobs/storage-url.ts';

const statusOf = (error: unknown): number | null =>
  error instanceof Error &&
  '$metadata' in error &&
  typeof error.$metadata === 'object' &&
  error.$metadata !== null &&
  'httpStatusCode' in error.$metadata &&
  typeof error.$metadata.httpStatusCode === 'number'
    ? error.$metadata.httpStatusCode
    : null;

interface Place {
  bucket: string;
  store: string;
  region: string;
}

const wrongRegion = ({ bucket, store, region }: Place): string =>
  `${store} has the bucket "${bucket}" in another region than ${region}, or does not understand the request: set region=… in STORAGE_URL (and pathStyle=true for a store that is not Amazon's).`;

const messageByStatus: Readonly<Record<number, (place: Place) => string>> = {
  301: wrongRegion,
  400: wrongRegion,
  401: ({ store }) =>
    `${store} rejects the credentials: correct S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, and check the clock of this machine.`,
  403: ({ bucket, store }) =>
    `${store} denies access to the bucket "${bucket}": correct S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, allow them to list, read, write and delete there, and check the clock of this machine.`,
  404: ({ bucket, store }) => `${store} has no bucket "${bucket}": create it, or correct STORAGE_URL.`,
};

/**
 * Explains why the object store cannot be used. Returns null for a store that does not respond: the server starts
 * without it.
 */
export function explainS3(storageUrl: string): (error: unknown) => string | null {
  return (error) => {
    const location = parseStorageUrl(storageUrl);
    if (location === null) return null;
    const { bucket, region, endpoint } = location;
    if (error instanceof Error && error.name === 'CredentialsProviderError')
      return 'No credentials for the object store were found: set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, or give this machine a role that may use the bucket.';
    const store = endpoint === null ? 'Amazon S3' : `The object store at ${new URL(endpoint).host}`;
    return messageByStatus[statusOf(error) ?? 0]?.({ bucket, store, region }) ?? null;
  };
}
