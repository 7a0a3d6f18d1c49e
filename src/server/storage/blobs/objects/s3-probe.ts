import { createHash, randomUUID } from 'node:crypto';
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type PutObjectCommandInput,
  type S3Client,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { createS3Client, type S3Settings } from './s3-client.ts';

export const sha256Of = (bytes: Uint8Array | string): string =>
  createHash('sha256').update(bytes).digest('base64');

type Conditions = Pick<PutObjectCommandInput, 'IfNoneMatch' | 'IfMatch' | 'ChecksumSHA256'>;

/** Single calls to a bucket, below a prefix of their own that is deleted at the end. */
export class S3Probe {
  readonly settings: S3Settings;
  readonly #client: S3Client;
  readonly #prefix: string;
  readonly #keys = new Set<string>();
  readonly #uploads: { Bucket: string; Key: string; UploadId: string }[] = [];

  constructor(settings: S3Settings) {
    this.settings = settings;
    this.#client = createS3Client(settings, 1);
    this.#prefix = `${settings.prefix}earshot-doctor/${randomUUID()}/`;
  }

  async reach(): Promise<void> {
    await this.#client.send(new HeadBucketCommand({ Bucket: this.settings.bucket }));
  }

  async put(name: string, bytes: Uint8Array | string, conditions: Conditions = {}): Promise<void> {
    await this.#client.send(new PutObjectCommand({ ...this.#address(name), Body: bytes, ...conditions }));
  }

  async get(name: string, range?: string): Promise<Buffer> {
    const { Body } = await this.#client.send(
      new GetObjectCommand({
        ...this.#address(name),
        ...(range === undefined ? {} : { Range: `bytes=${range}` }),
      }),
    );
    return Buffer.from((await Body?.transformToByteArray()) ?? []);
  }

  /** Returns whether an object exists. */
  async has(name: string): Promise<boolean> {
    return this.#client.send(new HeadObjectCommand(this.#address(name))).then(
      () => true,
      () => false,
    );
  }

  async checksumOf(name: string): Promise<string | undefined> {
    const { ChecksumSHA256 } = await this.#client.send(
      new HeadObjectCommand({ ...this.#address(name), ChecksumMode: 'ENABLED' }),
    );
    return ChecksumSHA256;
  }

  async delete(name: string): Promise<void> {
    await this.#client.send(new DeleteObjectCommand(this.#address(name)));
  }

  /** Lists names below a folder, two at a time. */
  async listPages(folder: string): Promise<string[][]> {
    const pages: string[][] = [];
    let token: string | undefined;
    do {
      const { Contents = [], NextContinuationToken } = await this.#client.send(
        new ListObjectsV2Command({
          Bucket: this.settings.bucket,
          Prefix: `${this.#prefix}${folder}`,
          MaxKeys: 2,
          ...(token === undefined ? {} : { ContinuationToken: token }),
        }),
      );
      pages.push(Contents.map(({ Key = '' }) => Key.slice(this.#prefix.length)));
      token = NextContinuationToken;
    } while (token !== undefined && pages.length < 10);
    return pages;
  }

  /** Starts a multipart upload and stores its parts, which are bytes or ranges of another object. */
  async startParts(
    name: string,
    parts: readonly (Uint8Array | { from: string; range: string })[],
  ): Promise<{ uploadId: string; parts: CompletedPart[] }> {
    const address = this.#address(name);
    const { UploadId = '' } = await this.#client.send(new CreateMultipartUploadCommand(address));
    this.#uploads.push({ ...address, UploadId });
    const stored: CompletedPart[] = [];
    for (const part of parts) {
      const PartNumber = stored.length + 1;
      const { ETag } =
        part instanceof Uint8Array
          ? await this.#client.send(new UploadPartCommand({ ...address, UploadId, PartNumber, Body: part }))
          : await this.#copyPart({ address, UploadId, PartNumber }, part);
      stored.push({ PartNumber, ETag });
    }
    return { uploadId: UploadId, parts: stored };
  }

  async complete(name: string, upload: { uploadId: string; parts: CompletedPart[] }): Promise<void> {
    await this.#client.send(
      new CompleteMultipartUploadCommand({
        ...this.#address(name),
        UploadId: upload.uploadId,
        MultipartUpload: { Parts: upload.parts },
      }),
    );
  }

  /** Returns how many unfinished multipart uploads an object's name has. */
  async countUnfinished(name: string): Promise<number> {
    const { Bucket, Key } = this.#address(name);
    const { Uploads = [] } = await this.#client.send(
      new ListMultipartUploadsCommand({ Bucket, Prefix: Key }),
    );
    return Uploads.filter((upload) => upload.Key === Key).length;
  }

  /** Deletes everything that was stored. */
  async close(): Promise<void> {
    for (const upload of this.#uploads)
      await this.#client.send(new AbortMultipartUploadCommand(upload)).catch(() => undefined);
    for (const Key of this.#keys)
      await this.#client
        .send(new DeleteObjectCommand({ Bucket: this.settings.bucket, Key }))
        .catch(() => undefined);
    this.#client.destroy();
  }

  #copyPart(
    {
      address,
      UploadId,
      PartNumber,
    }: { address: { Bucket: string; Key: string } } & {
      UploadId: string;
      PartNumber: number;
    },
    { from, range }: { from: string; range: string },
  ): Promise<{ ETag: string | undefined }> {
    const { Bucket, Key } = this.#address(from);
    return this.#client
      .send(
        new UploadPartCopyCommand({
          ...address,
          UploadId,
          PartNumber,
          CopySource: `${Bucket}/${Key}`,
          CopySourceRange: `bytes=${range}`,
        }),
      )
      .then(({ CopyPartResult }) => ({ ETag: CopyPartResult?.ETag }));
  }

  #address(name: string): { Bucket: string; Key: string } {
    const Key = `${this.#prefix}${name}`;
    this.#keys.add(Key);
    return { Bucket: this.settings.bucket, Key };
  }
}
