import type { FaultKind, Outcome } from '#tests/faults/kinds/outcome.ts';

/** The initial outcome of a run. */
export const blankOutcome = (kind: FaultKind, seed: number): Outcome => ({
  kind: `${kind.number} ${kind.name}`,
  seed,
  capturedMs: 0,
  storedMs: 0,
  namedGapsMs: 0,
  unexplainedMs: 0,
  worstLossMs: 0,
  repeatedMs: 0,
  findings: [],
  skipped: null,
  flaky: null,
  notes: '',
  wallMs: 0,
});

/** Runs one kind with one seed and judges the result. An exception in the run becomes a finding. */
export async function runKind(kind: FaultKind, seed: number, endsAtMs = Infinity): Promise<Outcome> {
  const blank = blankOutcome(kind, seed);
  const startedAtMs = Date.now();
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => {
        reject(new Error('the run did not end within its time limit'));
      },
      Math.min(kind.timeLimitMs ?? 150_000, endsAtMs - Date.now()),
    );
  });
  try {
    const outcome = { ...blank, ...(await Promise.race([kind.run(seed), tooLong])) };
    const costly =
      outcome.worstLossMs > kind.allowedLossMs + 40
        ? [`one fault cost ${Math.round(outcome.worstLossMs)} ms, ${kind.allowedLossMs} ms are allowed`]
        : [];
    return { ...outcome, findings: [...outcome.findings, ...costly], wallMs: Date.now() - startedAtMs };
  } catch (error) {
    return {
      ...blank,
      wallMs: Date.now() - startedAtMs,
      findings: [error instanceof Error ? error.message.split('\n').slice(0, 4).join(' ') : String(error)],
    };
  } finally {
    clearTimeout(timer);
  }
}

const rounded = (value: number) => String(Math.round(value));

/** The table by kind: runs, failures, worst loss, unexplained loss. */
export function tableOf(outcomes: Outcome[]): string {
  const kinds = [...new Set(outcomes.map(({ kind }) => kind))].toSorted(
    (a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10),
  );
  const rows = kinds.map((kind) => {
    const all = outcomes.filter((outcome) => outcome.kind === kind);
    const runs = all.filter(({ skipped }) => skipped === null);
    const max = (pick: (outcome: Outcome) => number) => Math.max(0, ...runs.map(pick));
    return `| ${kind} | ${runs.length} | ${all.length - runs.length} | ${runs.filter(({ findings }) => findings.length > 0).length} | ${rounded(max((run) => run.worstLossMs))} | ${rounded(runs.reduce((sum, run) => sum + run.unexplainedMs, 0))} | ${rounded(max((run) => run.wallMs) / 1000)} |`;
  });
  return [
    '| kind | runs | skipped | failed | worst loss, ms | unexplained loss, ms | longest run, s |',
    '|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

/** A line about one run. */
export function lineOf({
  kind,
  seed,
  findings,
  skipped,
  capturedMs,
  storedMs,
  namedGapsMs,
  worstLossMs,
  notes,
  wallMs,
}: Outcome): string {
  if (skipped !== null) return `skip  ${kind} (seed ${seed}): ${skipped}`;
  const figures = `captured ${rounded(capturedMs)}, stored ${rounded(storedMs)}, named ${rounded(namedGapsMs)}, worst loss ${rounded(worstLossMs)} ms, took ${rounded(wallMs / 1000)} s${notes ? `; ${notes}` : ''}`;
  return findings.length === 0
    ? `ok    ${kind} (seed ${seed}): ${figures}`
    : `FAIL  ${kind} (seed ${seed}): ${findings.join('; ')} [${figures}]`;
}
