import { second } from '#base/duration.ts';

const windowMs = 10 * second;

interface Sample {
  atMs: number;
  storedBytes: number;
}

/** How fast downloads are, by what the server had in the last seconds. */
export class DownloadRates {
  readonly #samples = new Map<string, Sample[]>();

  /** Notes how much is stored of a download. Returns the bytes per second; null before the second sample. */
  note(name: string, storedBytes: number, nowMs: number): number | null {
    const before = (this.#samples.get(name) ?? []).filter(
      (sample) => sample.atMs > nowMs - windowMs && sample.storedBytes <= storedBytes,
    );
    this.#samples.set(name, [...before, { atMs: nowMs, storedBytes }]);
    const [first] = before;
    if (first === undefined || nowMs <= first.atMs) return null;
    return ((storedBytes - first.storedBytes) * second) / (nowMs - first.atMs);
  }

  forget(name: string): void {
    this.#samples.delete(name);
  }

  clear(): void {
    this.#samples.clear();
  }
}
