import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { RequestObservation } from '#server/http/app.ts';
import type { BackupStatus } from '#server/features/backups/backup-status.ts';
import type { ReserveStatus } from '#server/storage/blobs/disk-reserve.ts';

export interface Metrics {
  requestEnded(observation: RequestObservation): void;
  appended(sizeBytes: number): void;
  jobEnded(kind: string, outcome: string): void;
  /** Work on a segment that was not Ogg/Opus, or had no peaks, has ended. */
  remuxed(outcome: string): void;
  verified(sizeBytes: number): void;
  /** The current number of damaged segments. */
  damaged(segments: number): void;
  disk(status: ReserveStatus): void;
  backups(status: BackupStatus, nowMs: number): void;
  /** Renders the metrics in Prometheus's text format, with its media type. */
  render(): Promise<{ text: string; mediaType: string }>;
}

let processRegistry: Registry | null = null;

/**
 * Metrics of this process. They are collected once, because each collection observes garbage collection and the
 * event loop until the process exits.
 */
function registryOfProcess(): Registry {
  if (processRegistry === null) {
    processRegistry = new Registry();
    collectDefaultMetrics({ register: processRegistry });
  }
  return processRegistry;
}

/**
 * Creates the metrics.
 * @param sources.openStreams returns the number of open event streams
 */
export function createMetrics(sources: { openStreams: () => number }): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const figuresOfProcess = registryOfProcess();
  const requests = new Histogram({
    name: 'earshot_http_request_duration_seconds',
    help: 'How long requests took, by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers,
  });
  const appends = new Counter({
    name: 'earshot_upload_appends_total',
    help: 'Pieces of recordings made durable',
    registers,
  });
  const bytes = new Counter({
    name: 'earshot_upload_bytes_total',
    help: 'Bytes of recordings made durable',
    registers,
  });
  const jobs = new Counter({
    name: 'earshot_jobs_total',
    help: 'Runs of jobs, by kind and outcome',
    labelNames: ['kind', 'outcome'],
    registers,
  });
  const remuxed = new Counter({
    name: 'earshot_remuxed_segments_total',
    help: 'Segments that were made ready to be played, by outcome',
    labelNames: ['outcome'],
    registers,
  });
  const verified = new Counter({
    name: 'earshot_verified_bytes_total',
    help: 'Stored bytes that were read and hashed again',
    registers,
  });
  const damaged = new Gauge({
    name: 'earshot_damaged_segments',
    help: 'Stored streams whose hash is not that of their receipt',
    registers,
  });
  const free = new Gauge({
    name: 'earshot_disk_free_bytes',
    help: 'Free space of the disk that stores the recordings',
    registers,
  });
  const reserve = new Gauge({
    name: 'earshot_disk_reserve_bytes',
    help: 'Space of that disk which only running takes may use',
    registers,
  });
  const touched = new Gauge({
    name: 'earshot_disk_reserve_touched',
    help: '1 while less than the reserve is free: only running takes are stored',
    registers,
  });
  const backupAge = new Gauge({
    name: 'earshot_backup_age_seconds',
    help: 'Time since the start of the newest complete backup',
    registers,
  });
  const backupSize = new Gauge({
    name: 'earshot_backup_size_bytes',
    help: 'Size of everything in the newest complete backup',
    registers,
  });
  const backupFailed = new Gauge({
    name: 'earshot_backup_failed',
    help: '1 while the last attempt to make a backup has failed, or the newest backup has damaged files',
    registers,
  });
  const streams = new Gauge({ name: 'earshot_event_streams', help: 'Open event streams', registers });
  return {
    requestEnded: ({ method, route, status, durationMs }) =>
      requests.observe({ method, route, status }, durationMs / 1000),
    appended(sizeBytes) {
      appends.inc();
      bytes.inc(sizeBytes);
    },
    jobEnded: (kind, outcome) => jobs.inc({ kind, outcome }),
    remuxed: (outcome) => remuxed.inc({ outcome }),
    verified: (sizeBytes) => verified.inc(sizeBytes),
    damaged: (segments) => damaged.set(segments),
    disk({ freeBytes, reserveBytes, isTouched }) {
      free.set(freeBytes ?? Number.NaN);
      reserve.set(reserveBytes);
      touched.set(isTouched ? 1 : 0);
    },
    backups({ newest, failure }, nowMs) {
      backupAge.set(newest ? (nowMs - newest.startedAtMs) / 1000 : Number.NaN);
      backupSize.set(newest?.sizeBytes ?? Number.NaN);
      backupFailed.set(failure !== null || (newest?.damagedCount ?? 0) > 0 ? 1 : 0);
    },
    async render() {
      streams.set(sources.openStreams());
      const all = Registry.merge([figuresOfProcess, registry]);
      return { text: await all.metrics(), mediaType: all.contentType };
    },
  };
}
