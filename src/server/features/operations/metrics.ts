import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { RequestObservation } from '../../http/app.ts';

export interface Metrics {
  requestEnded(observation: RequestObservation): void;
  appended(sizeBytes: number): void;
  jobEnded(kind: string, outcome: string): void;
  /** The text that Prometheus reads, with its media type. */
  render(): Promise<{ text: string; mediaType: string }>;
}

/** Counts what happens. @param sources.openStreams how many event streams are open now */
export function createMetrics(sources: { openStreams: () => number }): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({ name: 'earshot_http_request_duration_seconds', help: 'How long requests took, by route and status', labelNames: ['method', 'route', 'status'], buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10], registers });
  const appends = new Counter({ name: 'earshot_upload_appends_total', help: 'Pieces of recordings made durable', registers });
  const bytes = new Counter({ name: 'earshot_upload_bytes_total', help: 'Bytes of recordings made durable', registers });
  const jobs = new Counter({ name: 'earshot_jobs_total', help: 'Runs of jobs, by kind and outcome', labelNames: ['kind', 'outcome'], registers });
  const streams = new Gauge({ name: 'earshot_event_streams', help: 'Open event streams', registers });
  return {
    requestEnded: ({ method, route, status, durationMs }) => requests.observe({ method, route, status }, durationMs / 1000),
    appended(sizeBytes) {
      appends.inc();
      bytes.inc(sizeBytes);
    },
    jobEnded: (kind, outcome) => jobs.inc({ kind, outcome }),
    async render() {
      streams.set(sources.openStreams());
      return { text: await registry.metrics(), mediaType: registry.contentType };
    },
  };
}
