import type { ProviderCheck } from '#contract/providers-api.ts';

const longestDetail = 400;

/** One line of the administrator's test result. */
export const check = (
  name: ProviderCheck['check'],
  outcome: ProviderCheck['outcome'],
  detail: string | null = null,
): ProviderCheck => ({ check: name, outcome, detail: detail?.slice(0, longestDetail) ?? null });

const severity = { failed: 2, ok: 1, unknown: 0 } as const;

/**
 * Merges the results of steps that performed the same check. A failure takes precedence over a success, and a
 * success over an inconclusive result.
 */
export function merged(checks: readonly ProviderCheck[]): ProviderCheck[] {
  const byName = new Map<ProviderCheck['check'], ProviderCheck>();
  for (const one of checks) {
    const known = byName.get(one.check);
    if (!known || severity[one.outcome] > severity[known.outcome]) byName.set(one.check, one);
  }
  return [...byName.values()];
}
