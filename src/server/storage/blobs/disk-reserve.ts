import type { Clock } from '#base/clock.ts';
import { minute, second } from '#base/duration.ts';
import { BlobSpaceError, type BlobStore, type DiskSpace } from './blob-store.ts';

/** How the disk stands against its reserve. Space is null where the file system does not tell. */
export interface ReserveStatus {
  freeBytes: number | null;
  reserveBytes: number;
  isTouched: boolean;
}

/**
 * The rule of who may write while the disk gets full. Running takes, their finishing and short text ask
 * nobody: they go on until the disk is full.
 */
export interface DiskReserve {
  /** Takes space for any other write. Throws BlobSpaceError while less than the reserve is free. */
  admit(sizeBytes: number): Promise<void>;
  /** Throws BlobSpaceError where something of this size would leave less than the reserve. Takes nothing. */
  check(sizeBytes: number): Promise<void>;
  /**
   * Measures the disk in the background, at most once a second, so that a crossing is noticed while only
   * takes are written.
   */
  observe(): void;
  status(): Promise<ReserveStatus>;
  /** Measures every minute from now on, whether anything is written or not. */
  start(): void;
  stop(): void;
}

const measuredEveryMs = second;
const largestDefaultBytes = 1024 ** 3;
const defaultShare = 0.05;

/**
 * A gibibyte is eighteen hours of sound at the highest quality; a small disk reserves a twentieth of itself.
 */
export const defaultReserveBytes = (totalBytes: number): number =>
  Math.min(largestDefaultBytes, Math.floor(totalBytes * defaultShare));

interface Measurement {
  measuredAtMs: number;
  space: Promise<DiskSpace | null>;
  admittedBytes: number;
}

export interface DiskReserveOptions {
  blobs: Pick<BlobStore, 'space'>;
  clock: Clock;
  /** Null: the default for the size of the disk. */
  reserveBytes: number | null;
  /** Called once for each crossing, in either direction. */
  onCrossed: (status: ReserveStatus) => void;
}

/** Watches the file system that stores the recordings. */
export function createDiskReserve({
  blobs,
  clock,
  reserveBytes,
  onCrossed,
}: DiskReserveOptions): DiskReserve {
  let latest: Measurement | null = null;
  let wasTouched = false;
  let timer: NodeJS.Timeout | undefined;

  const reserveOf = (space: DiskSpace | null): number =>
    reserveBytes ?? (space === null ? 0 : defaultReserveBytes(space.totalBytes));

  const statusOf = (space: DiskSpace | null): ReserveStatus => {
    const reserve = reserveOf(space);
    return {
      freeBytes: space?.freeBytes ?? null,
      reserveBytes: reserve,
      isTouched: space !== null && space.freeBytes < reserve,
    };
  };

  async function measure(): Promise<DiskSpace | null> {
    // A file system that cannot be measured refuses writes itself once it is full.
    const space = await blobs.space().catch(() => null);
    const status = statusOf(space);
    if (space !== null && status.isTouched !== wasTouched) {
      wasTouched = status.isTouched;
      onCrossed(status);
    }
    return space;
  }

  function current(): Measurement {
    const nowMs = clock.nowMs();
    // A clock that was set back must not make an old measurement last.
    if (latest === null || Math.abs(nowMs - latest.measuredAtMs) >= measuredEveryMs)
      latest = { measuredAtMs: nowMs, space: measure(), admittedBytes: 0 };
    return latest;
  }

  /**
   * Between the look and the count nothing is waited for: of two writes of one moment, the second sees the
   * first.
   */
  async function take({
    announcedBytes = 0,
    writtenBytes = 0,
  }: {
    announcedBytes?: number;
    writtenBytes?: number;
  }): Promise<void> {
    const measurement = current();
    const space = await measurement.space;
    if (space === null) return;
    const leftBytes = space.freeBytes - measurement.admittedBytes - announcedBytes;
    if (leftBytes < reserveOf(space))
      throw new BlobSpaceError(
        Object.assign(new Error('what is left on the disk is reserved for running takes'), {
          code: 'ENOSPC',
        }),
      );
    measurement.admittedBytes += writtenBytes;
  }

  const observe = (): void => {
    void current().space;
  };

  return {
    // Refused at the reserve and not a piece before it: then the operator sees that it is touched.
    admit: (sizeBytes) => take({ writtenBytes: sizeBytes }),
    check: (sizeBytes) => take({ announcedBytes: sizeBytes }),
    observe,
    status: async () => statusOf(await current().space),
    start() {
      observe();
      timer = setInterval(observe, minute).unref();
    },
    stop() {
      clearInterval(timer);
    },
  };
}

/** The store for work that may wait: its writes stop at the reserve, reading and removing go on. */
export function outsideReserve(blobs: BlobStore, reserve: Pick<DiskReserve, 'admit'>): BlobStore {
  return {
    async create(key) {
      await reserve.admit(0);
      await blobs.create(key);
    },
    async append(key, piece) {
      await reserve.admit(piece.bytes.byteLength);
      return blobs.append(key, piece);
    },
    async put(key, bytes) {
      await reserve.admit(bytes.byteLength);
      await blobs.put(key, bytes);
    },
    head: (key) => blobs.head(key),
    read: (key, range) => blobs.read(key, range),
    stream: (key, range) => blobs.stream(key, range),
    localFile: (key) => blobs.localFile(key),
    move: (fromKey, toKey) => blobs.move(fromKey, toKey),
    truncate: (key, sizeBytes) => blobs.truncate(key, sizeBytes),
    remove: (keyOrPrefix) => blobs.remove(keyOrPrefix),
    space: () => blobs.space(),
    ping: () => blobs.ping(),
    close: () => blobs.close(),
  };
}
