import {
  AbortMultipartUploadCommand,
  ListMultipartUploadsCommand,
  type MultipartUpload,
  type S3Client,
} from '@aws-sdk/client-s3';

/** A hundred thousand uploads. A store that repeats its answer must not hold its caller for ever. */
const maxPages = 100;

/** Makes one call, with the limits of the caller. */
type Call = <T>(call: (until: { abortSignal?: AbortSignal }) => Promise<T>) => Promise<T>;

/**
 * Deletes the unfinished multipart uploads below a prefix. A store lists at most 1,000 in one answer, so this lists
 * again from the start after it has deleted those: versitygw rejects the markers of its own next page. After 100,000
 * the rest is left to the next call.
 * @param options.call wraps each call; makes it as it is unless given
 * @param options.isWanted which uploads to delete; all unless given
 * @throws Error of the store
 */
export async function deleteMultipartUploads(
  client: S3Client,
  {
    bucket,
    prefix,
    call = (work) => work({}),
    isWanted = () => true,
  }: { bucket: string; prefix: string; call?: Call; isWanted?: (upload: MultipartUpload) => boolean },
): Promise<void> {
  for (let page = 0; page < maxPages; page += 1) {
    const { Uploads = [], IsTruncated = false } = await call((until) =>
      client.send(new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix }), until),
    );
    const wanted = Uploads.filter(isWanted);
    for (const { Key, UploadId } of wanted)
      await call((until) =>
        client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId }), until),
      );
    if (!IsTruncated || wanted.length === 0) return;
  }
}
