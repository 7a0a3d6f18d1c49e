/** How much of the start of a stream is buffered, and for how long. */
export interface BufferBounds {
  mostBytes: number;
  mostMs: number;
}

type Step = IteratorResult<Buffer, unknown>;

/**
 * Buffers the start of a stream of bytes: resolves once it has ended, is longer than `mostBytes`, or
 * has taken `mostMs` and given something. Rejects with the stream's own error where it fails until then. The
 * returned stream starts with the buffered bytes.
 */
export async function bufferedStart(
  source: AsyncGenerator<Buffer>,
  { mostBytes, mostMs }: BufferBounds,
): Promise<AsyncGenerator<Buffer>> {
  const isLate = Promise.withResolvers<'late'>();
  const clock = setTimeout(() => {
    isLate.resolve('late');
  }, mostMs);
  const buffered: Buffer[] = [];
  let bufferedBytes = 0;
  let next: Promise<Step> = source.next();
  try {
    while (bufferedBytes <= mostBytes) {
      // Without a byte there is nothing to begin with, however late it is.
      const step = await (buffered.length === 0 ? next : Promise.race([next, isLate.promise]));
      if (step === 'late' || step.done === true) break;
      buffered.push(step.value);
      bufferedBytes += step.value.length;
      next = source.next();
    }
  } finally {
    clearTimeout(clock);
  }
  // Whether anybody reads on or not, its failure is no unhandled one.
  next.catch(() => undefined);

  async function* resumed(): AsyncGenerator<Buffer> {
    try {
      yield* buffered.splice(0);
      for (let step = await next; step.done !== true; step = await source.next()) yield step.value;
    } finally {
      await source.return(undefined);
    }
  }
  return resumed();
}
