import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { second } from '#base/duration.ts';
import type { RequestObservation } from '#server/http/app.ts';
import type { RunningTakes } from './running-takes.ts';
import { createStoreGauges, show, type StoreFigures } from './store-gauges.ts';

export interface Metrics {
  requestEnded(observation: RequestObservation): void;
  appended(sizeBytes: number): void;
  jobEnded(kind: string, outcome: string): void;
  /** Work on a segment that was not Ogg/Opus, or had no peaks, has ended. */
  remuxed(outcome: string): void;
  /** A chunk of sound was transcribed: `words`, `no-words`, or why it has none. */
  transcribed(soundMs: number, outcome: string): void;
  verified(sizeBytes: number): void;
  /** Replaces what the stores know. */
  stores(figures: StoreFigures): void;
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
 * @param sources.takes the takes that this process acknowledges; none if absent
 */
export function createMetrics(sources: {
  openStreams: () => number;
  takes?: Pick<RunningTakes, 'figures'>;
}): Metrics {
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
  const transcribedSeconds = new Counter({
    name: 'earshot_transcribed_seconds_total',
    help: 'Seconds of sound that were transcribed',
    registers,
  });
  const transcribedChunks = new Counter({
    name: 'earshot_transcribe_chunks_total',
    help: 'Parts of sound that an engine heard, by outcome',
    labelNames: ['outcome'],
    registers,
  });
  const verified = new Counter({
    name: 'earshot_verified_bytes_total',
    help: 'Stored bytes that were read and hashed again',
    registers,
  });
  const showStores = createStoreGauges(registers);
  const takes = new Gauge({
    name: 'earshot_takes_in_progress',
    help: 'Takes of which this process acknowledged a piece in the last minute',
    registers,
  });
  const takeSilence = new Gauge({
    name: 'earshot_take_silence_seconds',
    help: 'Longest time since the last acknowledgement of one of them',
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
    transcribed(soundMs, outcome) {
      transcribedSeconds.inc(soundMs / second);
      transcribedChunks.inc({ outcome });
    },
    verified: (sizeBytes) => verified.inc(sizeBytes),
    stores: showStores,
    async render() {
      streams.set(sources.openStreams());
      const running = sources.takes?.figures() ?? { count: 0, maxSilenceMs: null };
      takes.set(running.count);
      show(takeSilence, running.maxSilenceMs === null ? null : running.maxSilenceMs / second);
      const all = Registry.merge([figuresOfProcess, registry]);
      return { text: await all.metrics(), mediaType: all.contentType };
    },
  };
}
