import { S3Client } from '@aws-sdk/client-s3';
import { second } from '#base/duration.ts';
import type { S3Location } from '#server/storage/blobs/storage-url.ts';

interface S3Credentials {
  accessKeyId: string;
  secretAccessKey: string;
}

export interface S3Settings extends S3Location {
  /** Null: the SDK's own chain (environment, instance role, web identity). */
  credentials: S3Credentials | null;
}

/** Creates a client for the store. Each call is tried up to `tries` times. */
export function createS3Client(
  { endpoint, region, isPathStyle, credentials }: S3Settings,
  tries = 3,
): S3Client {
  return new S3Client({
    region,
    forcePathStyle: isPathStyle,
    ...(endpoint === null ? {} : { endpoint }),
    ...(credentials === null ? {} : { credentials }),
    maxAttempts: tries,
    // Checksums that the SDK adds by itself are unknown to many stores. We add our own where one is needed.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: 5 * second,
      requestTimeout: 60 * second,
      socketTimeout: 30 * second,
    },
  });
}
