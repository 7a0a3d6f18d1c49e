import { createHash } from 'node:crypto';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  PutObjectCommand,
  type S3Client,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { second } from '#base/duration.ts';
import type { ByteRange, ObjectRequests } from '#server/storage/blobs/blob-store.ts';
import { deleteMultipartUploads } from './delete-multipart-uploads.ts';
import { ObjectMissingError, type ObjectStore, ObjectStoreError } from './object-store.ts';
import { RequestCounts } from './request-counts.ts';
import { createS3Client, type S3Settings } from './s3-client.ts';

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('base64');

/** A store that accepts connections and never answers must not delay the start of a server for minutes. */
const pingTimeoutMs = 5 * second;
const missingCodes: ReadonlySet<string> = new Set(['NoSuchKey', 'InvalidRange']);

interface CallOptions {
  abortSignal: AbortSignal;
}

/**
 * Stores objects in a bucket of an S3-compatible store. It needs ranges, multipart uploads and deletion, and neither
 * conditional writes nor lists of objects.
 */
export class S3ObjectStore implements ObjectStore {
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #prefix: string;
  readonly #closing = new AbortController();
  readonly #counts = new RequestCounts();

  constructor(settings: S3Settings) {
    this.#client = createS3Client(settings);
    this.#counts.watch(this.#client);
    this.#bucket = settings.bucket;
    this.#prefix = settings.prefix;
  }

  requests(): readonly ObjectRequests[] {
    return this.#counts.all();
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    await this.#run(name, (until) =>
      this.#client.send(
        new PutObjectCommand({
          ...this.#address(name),
          Body: bytes,
          ContentLength: bytes.byteLength,
          ChecksumSHA256: sha256(bytes),
        }),
        until,
      ),
    );
  }

  async putParts(name: string, parts: AsyncIterable<Uint8Array>): Promise<void> {
    const address = this.#address(name);
    const { UploadId } = await this.#run(name, (until) =>
      this.#client.send(new CreateMultipartUploadCommand(address), until),
    );
    try {
      const stored: { PartNumber: number; ETag: string | undefined }[] = [];
      for await (const bytes of parts) {
        const PartNumber = stored.length + 1;
        const { ETag } = await this.#run(name, (until) =>
          this.#client.send(
            new UploadPartCommand({
              ...address,
              UploadId,
              PartNumber,
              Body: bytes,
              ContentLength: bytes.byteLength,
            }),
            until,
          ),
        );
        stored.push({ PartNumber, ETag });
      }
      await this.#run(name, (until) =>
        this.#client.send(
          new CompleteMultipartUploadCommand({ ...address, UploadId, MultipartUpload: { Parts: stored } }),
          until,
        ),
      );
    } catch (error) {
      await this.#run(name, (until) =>
        this.#client.send(new AbortMultipartUploadCommand({ ...address, UploadId }), until),
      ).catch(() => undefined);
      throw error;
    }
  }

  get(name: string, { startByte, endByteExclusive }: ByteRange, signal?: AbortSignal): Promise<Uint8Array> {
    const read = async (until: CallOptions): Promise<Uint8Array> => {
      const { Body } = await this.#client.send(
        new GetObjectCommand({ ...this.#address(name), Range: `bytes=${startByte}-${endByteExclusive - 1}` }),
        until,
      );
      if (Body === undefined) throw new ObjectStoreError(`the object store sent no bytes of ${name}`);
      return Body.transformToByteArray();
    };
    return this.#run(name, read, signal);
  }

  async delete(name: string): Promise<void> {
    await this.#run(name, (until) =>
      this.#client.send(new DeleteObjectCommand(this.#address(name)), until),
    ).catch((error: unknown) => {
      // Some stores answer 404 here.
      if (!(error instanceof ObjectMissingError)) throw error;
    });
  }

  async deleteParts(name: string): Promise<void> {
    const address = this.#address(name);
    await deleteMultipartUploads(this.#client, {
      bucket: this.#bucket,
      prefix: address.Key,
      call: (work) => this.#run(name, work),
      isWanted: ({ Key }) => Key === address.Key,
    });
  }

  async ping(): Promise<void> {
    await this.#client.send(new HeadBucketCommand({ Bucket: this.#bucket }), {
      abortSignal: AbortSignal.timeout(pingTimeoutMs),
    });
  }

  /** Aborts the calls that are running, which throw ObjectStoreError. */
  close(): void {
    this.#closing.abort(new Error('the object store is being closed'));
    this.#client.destroy();
  }

  #address(name: string): { Bucket: string; Key: string } {
    return { Bucket: this.#bucket, Key: `${this.#prefix}${name}` };
  }

  /** Makes a call, which ends with `close` or with the caller's signal. */
  async #run<T>(name: string, call: (until: CallOptions) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const { signal: closing } = this.#closing;
    try {
      return await call({ abortSignal: signal === undefined ? closing : AbortSignal.any([closing, signal]) });
    } catch (error) {
      if (error instanceof S3ServiceException && missingCodes.has(error.name))
        throw new ObjectMissingError(name);
      if (error instanceof ObjectStoreError) throw error;
      const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      throw new ObjectStoreError(`the object store cannot be used now (${reason})`, { cause: error });
    }
  }
}
