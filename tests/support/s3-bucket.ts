import { CreateBucketCommand, type S3Client } from '@aws-sdk/client-s3';
import { type TestS3, testS3Credentials } from '#scripts/s3-for-tests.ts';
import { createS3Client, type S3Settings } from '#server/storage/blobs/objects/s3-client.ts';

/** The name of the only bucket of a test or measurement. */
export const bucket = 'earshot';

export const bucketSettings = ({ endpoint }: TestS3, prefix = ''): S3Settings => ({
  bucket,
  prefix,
  endpoint,
  region: 'us-east-1',
  isPathStyle: true,
  credentials: testS3Credentials,
});

/** The bucket as the environment of a server has it. Objects are below `prefix`, which has no slash at its end. */
export const bucketEnvironment = ({ endpoint }: TestS3, prefix = '') => ({
  STORAGE_URL: `s3://${bucket}/${prefix}?endpoint=${encodeURIComponent(endpoint)}`,
  S3_ACCESS_KEY_ID: testS3Credentials.accessKeyId,
  S3_SECRET_ACCESS_KEY: testS3Credentials.secretAccessKey,
});

/** Works with the bucket as an operator's tool does. */
export async function onBucket<T>(s3: TestS3, work: (client: S3Client) => Promise<T>): Promise<T> {
  const client = createS3Client(bucketSettings(s3));
  try {
    return await work(client);
  } finally {
    client.destroy();
  }
}

export async function createBucket(s3: TestS3): Promise<void> {
  await onBucket(s3, (client) => client.send(new CreateBucketCommand({ Bucket: bucket })));
}
