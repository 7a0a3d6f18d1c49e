import type { Clock } from '#base/clock.ts';
import { minute, second } from '#base/duration.ts';
import { BlobSpaceError, type BlobStore, type DiskSpace } from './blob-store.ts';

/** The state of the disk reserve. Free space is null if the file system does not report it. */
export interface ReserveStatus {
  freeBytes: number | null;
  reserveBytes: number;
  isTouched: boolean;
}

/** What the disk has left at one moment. Both functions are synchronous, so that simultaneous writes see each other. */
interface MeasuredReserve {
  /** Whether the reserve is free. True if the file system does not report its free space. */
  isFree(): boolean;
  /** Counts bytes that are about to be written. */
  count(sizeBytes: number): void;
}

/**
 * Decides which writes are allowed while the disk fills up. Running takes (as `admit-append.ts` limits them), their
 * finishing and short text bypass the reserve and continue until the disk is full.
 */
export interface DiskReserve {
  /**
   * Admits any other write and counts its bytes.
   * @throws BlobSpaceError while less than the reserve is free
   */
  admit(sizeBytes: number): Promise<void>;
  /**
   * Checks that a write of this size would leave the reserve free, without counting its bytes.
   * @throws BlobSpaceError if it would not
   */
  check(sizeBytes: number): Promise<void>;
  /** Measures the disk, at most once a second, so that a crossing is noticed while only takes are written. */
  measured(): Promise<MeasuredReserve>;
  status(): Promise<ReserveStatus>;
  /** Measures every minute until `stop`, even if nothing is written. */
  start(): void;
  stop(): void;
}

const measuredEveryMs = second;
const maxDefaultBytes = 1024 ** 3;
const defaultShare = 0.05;

/**
 * A gibibyte holds eighteen hours of audio at the highest quality. Small disks reserve a twentieth of their size.
 */
export const defaultReserveBytes = (totalBytes: number): number =>
  Math.min(maxDefaultBytes, Math.floor(totalBytes * defaultShare));

/** The error of a write that may not use the reserve. */
export const reservedError = (): BlobSpaceError =>
  new BlobSpaceError(
    Object.assign(new Error('the remaining disk space is reserved for running takes'), { code: 'ENOSPC' }),
  );

interface Measurement {
  measuredAtMs: number;
  space: Promise<DiskSpace | null>;
  admittedBytes: number;
}

export interface DiskReserveOptions {
  blobs: Pick<BlobStore, 'space'>;
  clock: Clock;
  /** Null selects the default for the size of the disk. */
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
    // If the file system cannot be measured, it rejects writes itself once it is full.
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
    // After the clock was set back, an old measurement must not stay valid.
    if (latest === null || Math.abs(nowMs - latest.measuredAtMs) >= measuredEveryMs)
      latest = { measuredAtMs: nowMs, space: measure(), admittedBytes: 0 };
    return latest;
  }

  const isFreeIn = ({ admittedBytes }: Measurement, space: DiskSpace | null, announcedBytes = 0): boolean =>
    space === null || space.freeBytes - admittedBytes - announcedBytes >= reserveOf(space);

  /** Checks and counts without an `await` in between, so the second of two simultaneous writes sees the first. */
  async function take({
    announcedBytes = 0,
    writtenBytes = 0,
  }: {
    announcedBytes?: number;
    writtenBytes?: number;
  }): Promise<void> {
    const measurement = current();
    const space = await measurement.space;
    if (!isFreeIn(measurement, space, announcedBytes)) throw reservedError();
    measurement.admittedBytes += writtenBytes;
  }

  const observe = (): void => {
    void current().space;
  };

  return {
    // Admits writes until the reserve is touched, not only those that leave it free: the operator then sees it
    // crossed.
    admit: (sizeBytes) => take({ writtenBytes: sizeBytes }),
    check: (sizeBytes) => take({ announcedBytes: sizeBytes }),
    async measured() {
      const measurement = current();
      const space = await measurement.space;
      return {
        isFree: () => isFreeIn(measurement, space),
        count: (sizeBytes) => {
          measurement.admittedBytes += sizeBytes;
        },
      };
    },
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

/** Wraps the store for work that can wait: its writes stop at the reserve; reads and deletions continue. */
export function outsideReserve(blobs: BlobStore, reserve: Pick<DiskReserve, 'admit'>): BlobStore {
  return {
    hasOtherWriters: blobs.hasOtherWriters,
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
    fence: (key, epoch, expected) => blobs.fence(key, epoch, expected),
    tail: (key) => blobs.tail(key),
    head: (key) => blobs.head(key),
    read: (key, range) => blobs.read(key, range),
    stream: (key, range) => blobs.stream(key, range),
    localFile: (key) => blobs.localFile(key),
    move: (fromKey, toKey) => blobs.move(fromKey, toKey),
    truncate: (key, sizeBytes) => blobs.truncate(key, sizeBytes),
    remove: (keyOrPrefix) => blobs.remove(keyOrPrefix),
    space: () => blobs.space(),
    ping: () => blobs.ping(),
    pingAll: () => blobs.pingAll(),
    close: () => blobs.close(),
  };
}
