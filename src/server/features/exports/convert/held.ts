/** How much of a beginning is kept back, and for how long. */
export interface HeldBounds {
  mostBytes: number;
  mostMs: number;
}

type Step = IteratorResult<Buffer, unknown>;

/**
 * Keeps back the beginning of a stream of bytes: resolves once it has ended, is longer than `mostBytes`, or
 * has taken `mostMs` and given something. Rejects with the stream's own error where it fails until then. The
 * returned stream begins with what was kept back.
 */
export async function held(
  source: AsyncGenerator<Buffer>,
  { mostBytes, mostMs }: HeldBounds,
): Promise<AsyncGenerator<Buffer>> {
  const isLate = Promise.withResolvers<'late'>();
  const clock = setTimeout(() => {
    isLate.resolve('late');
  }, mostMs);
  const kept: Buffer[] = [];
  let keptBytes = 0;
  let next: Promise<Step> = source.next();
  try {
    while (keptBytes <= mostBytes) {
      // Without a byte there is nothing to begin with, however late it is.
      const step = await (kept.length === 0 ? next : Promise.race([next, isLate.promise]));
      if (step === 'late' || step.done === true) break;
      kept.push(step.value);
      keptBytes += step.value.length;
      next = source.next();
    }
  } finally {
    clearTimeout(clock);
  }
  // Whether anybody reads on or not, its failure is no unhandled one.
  next.catch(() => undefined);

  async function* resumed(): AsyncGenerator<Buffer> {
    try {
      yield* kept.splice(0);
      for (let step = await next; step.done !== true; step = await source.next()) yield step.value;
    } finally {
      await source.return(undefined);
    }
  }
  return resumed();
}
