import { minute } from '#base/duration.ts';
import type { HttpApp } from '../app.ts';

/** Database, log, threads, mail, providers, and connections on the way to be refused. */
const ownDescriptors = 128;
/** A thousand takes at once have two growing files each. */
const mostIdleFiles = 2048;
/** Bounds the memory of connections where files have no limit that matters. */
const mostConnections = 20_000;
/** Below this an operator should know. */
const lowFileLimit = 4096;

export interface DescriptorPlan {
  fileLimit: number;
  /** How many connections may be open at once. */
  connections: number;
  /** How many files may stay open while nobody uses them. */
  idleFiles: number;
  /** Whether the limit is so low that busy times will feel it. */
  isLow: boolean;
}

/**
 * Shares the process's file descriptors out. Half of them are for files: connections that come in must never keep a running take from opening its own.
 * @param fileLimit how many descriptors the process may have; Infinity where there is no limit
 */
export function planDescriptors(fileLimit: number): DescriptorPlan {
  const shared = Math.max(32, fileLimit - ownDescriptors);
  return { fileLimit, connections: Math.min(mostConnections, Math.floor(shared / 2)), idleFiles: Math.min(mostIdleFiles, Math.floor(shared / 4)), isLow: fileLimit < lowFileLimit };
}

/** The limit of this process, which Node raises to the hard limit at its start; Infinity where there is none, or none can be read. */
export function readFileLimit(): number {
  // The report would look every network interface up by name.
  Reflect.set(process.report, 'excludeNetwork', true);
  const report: unknown = process.report.getReport();
  const soft = /"open_files":\{"soft":(?<soft>\d+)/.exec(JSON.stringify(report))?.groups?.['soft'];
  return soft === undefined ? Infinity : Number(soft);
}

/** Refuses connections beyond a number, so that descriptors are left for files. Idle ones stay: between two appends a recorder's is idle, too. */
export function limitConnections(app: HttpApp, mostConnections: number): void {
  let warnedAtMs = -Infinity;
  app.server.maxConnections = mostConnections;
  app.server.on('drop', () => {
    const nowMs = performance.now();
    if (nowMs - warnedAtMs < minute) return;
    warnedAtMs = nowMs;
    app.log.warn({ mostConnections }, 'connections are refused: as many as the limit of open files allows are open');
  });
}
