import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import {
  type BackupSource,
  type BackupTarget,
  keyOfContent,
  setAsideKeyOf,
  type StoredBytes,
} from '#server/storage/backups/backup-target.ts';

/** A place for backups without a disk: hundreds of backups take no time for syncing files. */
export class MemoryBackupTarget implements BackupTarget {
  readonly name: string;
  readonly files = new Map<string, Buffer>();

  constructor(name = '/backups') {
    this.name = name;
  }

  async freeBytes(): Promise<number | null> {
    return null;
  }

  async clean(): Promise<void> {
    // Nothing is ever unfinished.
  }

  async sizeOf(key: string): Promise<number | null> {
    return this.files.get(key)?.length ?? null;
  }

  async list(prefix: string): Promise<string[]> {
    const below = [...this.files.keys()].filter((key) => key.startsWith(prefix));
    return [...new Set(below.map((key) => key.slice(prefix.length).split('/')[0] ?? ''))];
  }

  read(key: string): Readable {
    const bytes = this.files.get(key);
    if (bytes !== undefined) return Readable.from([bytes]);
    return new Readable({
      read() {
        this.destroy(new Error(`${key} is missing`));
      },
    });
  }

  async write(key: string, source: BackupSource): Promise<StoredBytes> {
    const bytes = await buffer(source);
    this.files.set(key, bytes);
    return { sha256: createHash('sha256').update(bytes).digest('hex'), sizeBytes: bytes.length };
  }

  async store(source: BackupSource): Promise<StoredBytes & { isNew: boolean }> {
    const bytes = await buffer(source);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const key = keyOfContent(sha256);
    const isNew = this.files.get(key)?.length !== bytes.length;
    this.files.set(key, bytes);
    return { sha256, sizeBytes: bytes.length, isNew };
  }

  async setAside(key: string): Promise<void> {
    const bytes = this.files.get(key);
    if (bytes !== undefined) this.files.set(setAsideKeyOf(key), bytes);
    this.files.delete(key);
  }

  async remove(keyOrPrefix: string): Promise<void> {
    if (!keyOrPrefix.endsWith('/')) this.files.delete(keyOrPrefix);
    else for (const key of this.files.keys()) if (key.startsWith(keyOrPrefix)) this.files.delete(key);
  }

  close(): void {
    // There is no connection.
  }
}
