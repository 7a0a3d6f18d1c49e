import { ListMultipartUploadsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { afterAll, beforeAll } from 'vitest';
import { findS3Server, startS3Server, type TestS3 } from '#scripts/s3-for-tests.ts';
import type { S3Settings } from '#server/storage/blobs/objects/s3-client.ts';
import { currentTier } from '../tiers.ts';
import { bucket, bucketEnvironment, bucketSettings, createBucket, onBucket } from './s3-bucket.ts';

/** `npm run test:s3` runs these tests, so `npm test` and `npm run test:rest` don't. */
const bin = currentTier() === 'all' ? findS3Server() : null;

/** Whether the tests that need a real S3 server can run here. */
export const hasS3 = bin !== null;
if (!hasS3) console.log('The tests of S3 are skipped: "npm run test:s3" runs them (needs Go).'); // oxlint-disable-line no-console

export interface TestBucket {
  server: () => TestS3;
  settings: () => S3Settings;
  /** The names of all objects, and of objects of which only parts are stored. */
  contents: () => Promise<string[]>;
  /** The settings as the server's environment has them. */
  environment: () => Record<string, string>;
}

/** Provides an S3 server with an empty bucket for the tests of one file. Call it in a `describe` that needs S3. */
export function testBucket(): TestBucket {
  let started: TestS3 | null = null;
  const server = (): TestS3 => {
    if (started === null) throw new Error('the S3 server is not running');
    return started;
  };
  beforeAll(async () => {
    started = await startS3Server(bin ?? '');
    await createBucket(started);
  });
  afterAll(() => started?.dispose());
  return {
    server,
    settings: () => bucketSettings(server(), 'test/'),
    contents: () =>
      onBucket(server(), async (client) => {
        const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket }));
        const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: bucket }));
        return [...Contents, ...Uploads].map(({ Key = '' }) => Key.replace(/^test\//, ''));
      }),
    environment: () => bucketEnvironment(server(), 'test'),
  };
}
