/** What the process of a build reports: a step starts or ends, or the build failed for a reason. */
export interface BuildReport {
  kind: 'start' | 'end' | 'failed';
  text: string;
}

export function isBuildReport(message: unknown): message is BuildReport {
  return (
    typeof message === 'object' &&
    message !== null &&
    'kind' in message &&
    'text' in message &&
    typeof message.text === 'string' &&
    (message.kind === 'start' || message.kind === 'end' || message.kind === 'failed')
  );
}

/** What is needed of a standard stream. */
export interface ProgressOutput {
  isTTY?: boolean;
  columns?: number;
  write: (text: string) => unknown;
}

const secondsSince = (startedMs: number, nowMs: number): string =>
  `${Math.round((nowMs - startedMs) / 1000)} s`;

/**
 * Prints the steps of a build: one line for each that has ended, with the time it took. A terminal also gets a line
 * with the steps that run, which `redraw` brings up to date.
 */
export class BuildProgress {
  readonly #output: ProgressOutput;
  readonly #nowMs: () => number;
  readonly #running = new Map<string, number>();
  #hasLine = false;

  constructor(output: ProgressOutput, nowMs: () => number = () => performance.now()) {
    this.#output = output;
    this.#nowMs = nowMs;
  }

  start(step: string): void {
    this.#running.set(step, this.#nowMs());
    this.redraw();
  }

  end(step: string): void {
    const startedMs = this.#running.get(step);
    if (startedMs === undefined) return;
    this.#running.delete(step);
    this.print(`  ${step}: ${secondsSince(startedMs, this.#nowMs())}\n`);
  }

  /** Prints whole lines above the line with the running steps. */
  print(text: string): void {
    this.#clearLine();
    this.#output.write(text);
    this.redraw();
  }

  redraw(): void {
    const [startedMs] = this.#running.values();
    if (this.#output.isTTY !== true || startedMs === undefined) return;
    const steps = [...this.#running.keys()].join(', ');
    const line = `  ${steps}… ${secondsSince(startedMs, this.#nowMs())}`;
    this.#clearLine();
    // A line that wraps could not be cleared. A terminal of unknown width has 0 columns.
    const { columns = 0 } = this.#output;
    this.#output.write(line.slice(0, (columns > 0 ? columns : 80) - 1));
    this.#hasLine = true;
  }

  /** Removes the line with the running steps. */
  close(): void {
    this.#running.clear();
    this.#clearLine();
  }

  #clearLine(): void {
    if (this.#hasLine) this.#output.write('\r\u001B[K');
    this.#hasLine = false;
  }
}
