import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { BoundedMap } from '#base/bounded-map.ts';
import type { Clock } from '#base/clock.ts';
import { day, hour, minute } from '#base/duration.ts';
import { KeyedQueue } from '#base/keyed-queue.ts';
import { fileTypeOf } from '#server/http/pages/file-types.ts';
import type { OtherBuilds, StoredAsset } from '#server/http/pages/other-builds.ts';
import { Repeated } from '#server/jobs/repeated.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import type { Database } from '#server/storage/database/database.ts';
import { type Build, buildIdOf, isAssetPath, maxAssetBytes, readBuild } from './build-files.ts';
import { BuildIndex, type IndexedFile } from './build-index.ts';

/** How long the files of a build stay after its last server ended. */
const storedForMs = 30 * day;
const noteUseEveryMs = hour;
/** After a failure, such as a full disk or a database that restarts. */
const retryEveryMs = minute;
/** Builds in memory, each of about two megabytes. */
const cachedBuilds = 4;

const prefixOf = (buildId: string): string => `web/${buildId}/`;
const keyOf = (buildId: string, part: number): string => `${prefixOf(buildId)}${part}`;

const decompress = promisify(brotliDecompress);

export interface WebBuildsDeps {
  database: Database;
  /** Its writes stop at the disk reserve. */
  blobs: BlobStore;
  clock: Clock;
}

/**
 * Stores the files of every build of the web app, so that each server can answer for those of all others: of nodes
 * that run another version during an update, and of versions whose tabs are still open.
 */
export class WebBuilds implements OtherBuilds {
  readonly #deps: WebBuildsDeps;
  readonly #index: BuildIndex;
  readonly #builds = new BoundedMap<string, Uint8Array[]>(cachedBuilds);
  readonly #reads = new KeyedQueue();
  #work: Repeated | null = null;
  #first: Promise<void> = Promise.resolve();
  #doneAtMs = -Infinity;

  constructor(deps: WebBuildsDeps) {
    this.#deps = deps;
    this.#index = new BuildIndex(deps.database);
  }

  /**
   * Stores this server's build in the background, notes each hour that it is in use, and sweeps.
   * @param directory contains the output of `npm run build`
   * @param onError called if a step fails; it is repeated a minute later
   */
  start(directory: string, onError: (error: unknown) => void): void {
    let own: Build | null = null;
    const run = async (): Promise<void> => {
      if (performance.now() - this.#doneAtMs < noteUseEveryMs) return;
      // Read once: an update in the same folder replaces the files while the server runs.
      own ??= await readBuild(directory);
      await this.#storeBuild(own);
      await this.sweep();
      this.#doneAtMs = performance.now();
    };
    this.#first = run().catch(onError);
    this.#work = new Repeated(retryEveryMs, run);
    this.#work.start(onError);
  }

  /** Stops after the step in progress. */
  async stop(): Promise<void> {
    await this.#work?.stop();
    await this.#first;
  }

  /** Stores the files of a build that the store lacks, and notes that the build is in use. */
  async store(directory: string): Promise<void> {
    await this.#storeBuild(await readBuild(directory));
  }

  async #storeBuild({ id, files, parts }: Build): Promise<void> {
    const { database, blobs, clock } = this.#deps;
    if (files.length === 0) return;
    const usedAtMs = clock.nowMs();
    // The row comes first, so that no blob is ever left without one.
    await database.queries
      .insertInto('web_builds')
      .values({ id, files: JSON.stringify(files), used_at: usedAtMs })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ used_at: usedAtMs }))
      .execute();
    for (const [part, bytes] of parts.entries()) {
      const key = keyOf(id, part);
      const head = await blobs.head(key);
      if (head?.sizeBytes !== bytes.byteLength) await blobs.put(key, bytes);
    }
  }

  /** Deletes builds that no server has used for 30 days. A server that starts one again stores it again. */
  async sweep(): Promise<void> {
    const { database, blobs, clock } = this.#deps;
    const beforeMs = clock.nowMs() - storedForMs;
    const unused = await database.queries
      .selectFrom('web_builds')
      .select('id')
      .where('used_at', '<', beforeMs)
      .execute();
    for (const { id } of unused) {
      await blobs.remove(prefixOf(id));
      await database.queries
        .deleteFrom('web_builds')
        .where('id', '=', id)
        .where('used_at', '<', beforeMs)
        .execute();
    }
  }

  async find(path: string, { acceptsBrotli }: { acceptsBrotli: boolean }): Promise<StoredAsset | null> {
    if (!isAssetPath(path)) return null;
    const found = await this.#index.find(path);
    if (found === null) return null;
    const [, part, atByte, sizeBytes, isCompressed] = found.file;
    const bytes = (await this.#partsOf(found))?.[part]?.subarray(atByte, atByte + sizeBytes);
    if (bytes === undefined) return null;
    const mediaType = fileTypeOf(path);
    return isCompressed && !acceptsBrotli
      ? {
          mediaType,
          encoding: null,
          bytes: await decompress(bytes, { maxOutputLength: maxAssetBytes }),
        }
      : { mediaType, encoding: isCompressed ? 'br' : null, bytes };
  }

  /** Returns the parts of a build from memory, without waiting for other builds, or else from the store. */
  async #partsOf(found: IndexedFile): Promise<Uint8Array[] | null> {
    return this.#builds.get(found.buildId) ?? this.#readParts(found);
  }

  /**
   * Reads a build, one at a time, because strangers choose which. Null if a part is missing, or does not have the bytes
   * that the server of the build stored: the files are code, which a writer of the bucket must not be able to change.
   */
  #readParts({ buildId, files }: IndexedFile): Promise<Uint8Array[] | null> {
    return this.#reads.run('builds', async () => {
      const cached = this.#builds.get(buildId);
      if (cached !== undefined) return cached;
      const parts: Uint8Array[] = [];
      for (let part = 0; part <= Math.max(...files.map(([, of]) => of)); part += 1) {
        const head = await this.#deps.blobs.head(keyOf(buildId, part));
        if (head === null || head.sizeBytes > maxAssetBytes) return null;
        const range = { startByte: 0, endByteExclusive: head.sizeBytes };
        parts.push(await this.#deps.blobs.read(keyOf(buildId, part), range));
      }
      if (buildIdOf({ files, parts }) !== buildId) return null;
      this.#builds.set(buildId, parts);
      return parts;
    });
  }
}
