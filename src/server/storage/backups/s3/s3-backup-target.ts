import { createHash, type Hash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  type S3Client,
  S3ServiceException,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import {
  type BackupSource,
  type BackupTarget,
  keyOfContent,
  setAsideKeyOf,
  type StoredBytes,
} from '#server/storage/backups/backup-target.ts';
import { gatherBytes } from '#server/storage/blobs/gather-bytes.ts';
import { mapInBatches } from '#server/storage/blobs/map-in-batches.ts';
import { deleteMultipartUploads } from '#server/storage/blobs/objects/delete-multipart-uploads.ts';
import { createS3Client, type S3Settings } from '#server/storage/blobs/objects/s3-client.ts';
import { S3ObjectStore } from '#server/storage/blobs/objects/s3-object-store.ts';

/** What has no name yet, because its hash is not known. */
const unfinishedFolder = 'unfinished/';
const partBytes = 8 * 1024 * 1024;
/** A store answers a copy once it is complete, so larger objects are copied in parts. */
const copiedAtOnceBytes = 256 * 1024 * 1024;

/** A source of which at most two parts have been read. Hash and size are those of what was read so far. */
interface StartOfSource {
  first: Buffer[];
  rest: AsyncGenerator<Buffer>;
  isWhole: boolean;
  hash: Hash;
  sizeBytes: number;
}

/** Reads enough to know whether there is more than one part. */
async function readStart(source: BackupSource): Promise<StartOfSource> {
  const rest = gatherBytes(source, partBytes);
  const read: StartOfSource = { first: [], rest, isWhole: true, hash: createHash('sha256'), sizeBytes: 0 };
  while (read.first.length < 2) {
    const part = await rest.next();
    if (part.done === true) return read;
    note(read, part.value);
    read.first.push(part.value);
  }
  return { ...read, isWhole: false };
}

function note(read: StartOfSource, part: Buffer): void {
  read.hash.update(part);
  read.sizeBytes += part.length;
}

async function* allParts(read: StartOfSource): AsyncGenerator<Buffer> {
  yield* read.first;
  for await (const part of read.rest) {
    note(read, part);
    yield part;
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404;

/** Stores backups as objects below a prefix of a bucket. */
export class S3BackupTarget implements BackupTarget {
  readonly name: string;
  readonly #client: S3Client;
  readonly #objects: S3ObjectStore;
  readonly #bucket: string;
  readonly #prefix: string;

  /** @param name names the place in messages */
  constructor(name: string, settings: S3Settings) {
    this.name = name;
    this.#client = createS3Client(settings);
    this.#objects = new S3ObjectStore(settings);
    this.#bucket = settings.bucket;
    this.#prefix = settings.prefix;
  }

  /** Rejects if the bucket cannot be used, or does not answer within seconds. */
  ping(): Promise<void> {
    return this.#objects.ping();
  }

  async freeBytes(): Promise<number | null> {
    return null;
  }

  async clean(): Promise<void> {
    await this.remove(unfinishedFolder);
    await deleteMultipartUploads(this.#client, { bucket: this.#bucket, prefix: this.#prefix });
  }

  async sizeOf(key: string): Promise<number | null> {
    try {
      const { ContentLength } = await this.#client.send(new HeadObjectCommand(this.#address(key)));
      return ContentLength ?? 0;
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  async list(prefix: string): Promise<string[]> {
    const names = new Set<string>();
    const start = this.#prefix.length + prefix.length;
    for await (const { keys, folders } of this.#pages(prefix, '/'))
      for (const key of [...keys, ...folders]) names.add(key.slice(start).replace(/\/$/, ''));
    return [...names].filter((name) => name !== '' && `${name}/` !== unfinishedFolder);
  }

  read(key: string): Readable {
    return Readable.from(this.#ranges(key), { objectMode: false });
  }

  async write(key: string, source: BackupSource): Promise<StoredBytes> {
    const read = await readStart(source);
    await this.#put(key, read);
    return { sha256: read.hash.digest('hex'), sizeBytes: read.sizeBytes };
  }

  async store(source: BackupSource): Promise<StoredBytes & { isNew: boolean }> {
    const read = await readStart(source);
    return read.isWhole ? this.#storeWhole(read) : this.#storeLarge(read);
  }

  async setAside(key: string): Promise<void> {
    const sizeBytes = await this.sizeOf(key);
    if (sizeBytes === null) return;
    await this.#copy(key, setAsideKeyOf(key), sizeBytes);
    await this.#objects.delete(key);
  }

  async remove(keyOrPrefix: string): Promise<void> {
    if (!keyOrPrefix.endsWith('/')) return this.#objects.delete(keyOrPrefix);
    for await (const { keys } of this.#pages(keyOrPrefix))
      await mapInBatches(keys, (key) => this.#objects.delete(key.slice(this.#prefix.length)));
  }

  close(): void {
    this.#client.destroy();
    this.#objects.close();
  }

  async #put(key: string, read: StartOfSource): Promise<void> {
    if (read.isWhole) await this.#objects.put(key, read.first[0] ?? Buffer.alloc(0));
    else await this.#objects.putParts(key, allParts(read));
  }

  async #storeWhole(read: StartOfSource): Promise<StoredBytes & { isNew: boolean }> {
    const { sizeBytes } = read;
    const sha256 = read.hash.digest('hex');
    const key = keyOfContent(sha256);
    const isNew = (await this.sizeOf(key)) !== sizeBytes;
    if (isNew) await this.#put(key, read);
    return { sha256, sizeBytes, isNew };
  }

  /** Stores under a name of its own first, because the hash is known at the end. */
  async #storeLarge(read: StartOfSource): Promise<StoredBytes & { isNew: boolean }> {
    const unfinished = `${unfinishedFolder}${randomUUID()}`;
    await this.#put(unfinished, read);
    const { sizeBytes } = read;
    const sha256 = read.hash.digest('hex');
    const key = keyOfContent(sha256);
    const isNew = (await this.sizeOf(key)) !== sizeBytes;
    if (isNew) await this.#copy(unfinished, key, sizeBytes);
    await this.#objects.delete(unfinished);
    return { sha256, sizeBytes, isNew };
  }

  #address(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.#bucket, Key: `${this.#prefix}${key}` };
  }

  async *#pages(prefix: string, delimiter?: string): AsyncGenerator<{ keys: string[]; folders: string[] }> {
    let token: string | undefined;
    do {
      const page = await this.#client.send(
        new ListObjectsV2Command({
          Bucket: this.#bucket,
          Prefix: `${this.#prefix}${prefix}`,
          ...(delimiter === undefined ? {} : { Delimiter: delimiter }),
          ...(token === undefined ? {} : { ContinuationToken: token }),
        }),
      );
      yield {
        keys: (page.Contents ?? []).map(({ Key = '' }) => Key),
        folders: (page.CommonPrefixes ?? []).map(({ Prefix = '' }) => Prefix),
      };
      if (token !== undefined && token === page.NextContinuationToken)
        throw new Error(`${this.name} returns the same page of its objects again`);
      token = page.NextContinuationToken;
    } while (token !== undefined);
  }

  /** Reads an object in ranges, so that each is tried again after an error. */
  async *#ranges(key: string): AsyncGenerator<Uint8Array> {
    const sizeBytes = await this.sizeOf(key);
    if (sizeBytes === null) throw new Error(`${this.name}/${key} is missing`);
    for (let startByte = 0; startByte < sizeBytes; startByte += partBytes) {
      const endByteExclusive = Math.min(sizeBytes, startByte + partBytes);
      yield await this.#objects.get(key, { startByte, endByteExclusive });
    }
  }

  /** Copies an object within the bucket, without its bytes passing through here. */
  async #copy(from: string, to: string, sizeBytes: number): Promise<void> {
    const address = this.#address(to);
    const CopySource = `${this.#bucket}/${this.#prefix}${from}`;
    if (sizeBytes <= copiedAtOnceBytes) {
      await this.#client.send(new CopyObjectCommand({ ...address, CopySource }));
      return;
    }
    const { UploadId } = await this.#client.send(new CreateMultipartUploadCommand(address));
    const parts: { PartNumber: number; ETag: string | undefined }[] = [];
    for (let startByte = 0; startByte < sizeBytes; startByte += copiedAtOnceBytes) {
      const PartNumber = parts.length + 1;
      const end = Math.min(sizeBytes, startByte + copiedAtOnceBytes) - 1;
      const { CopyPartResult } = await this.#client.send(
        new UploadPartCopyCommand({
          ...address,
          UploadId,
          PartNumber,
          CopySource,
          CopySourceRange: `bytes=${startByte}-${end}`,
        }),
      );
      parts.push({ PartNumber, ETag: CopyPartResult?.ETag });
    }
    await this.#client.send(
      new CompleteMultipartUploadCommand({ ...address, UploadId, MultipartUpload: { Parts: parts } }),
    );
  }
}
