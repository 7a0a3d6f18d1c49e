/** Limits of the buffered start of a stream, in size and time. */
export interface BufferBounds {
  maxBytes: number;
  maxMs: number;
}

type Step = IteratorResult<Buffer, unknown>;

/**
 * Buffers the start of a byte stream. Resolves when the stream has ended, is longer than `maxBytes`, or has taken
 * `maxMs` and yielded a byte. Rejects with the stream's own error if it fails before that. The returned stream
 * starts with the buffered bytes.
 */
export async function bufferedStart(
  source: AsyncGenerator<Buffer>,
  { maxBytes, maxMs }: BufferBounds,
): Promise<AsyncGenerator<Buffer>> {
  const isLate = Promise.withResolvers<'late'>();
  const clock = setTimeout(() => {
    isLate.resolve('late');
  }, maxMs);
  const buffered: Buffer[] = [];
  let bufferedBytes = 0;
  let next: Promise<Step> = source.next();
  try {
    while (bufferedBytes <= maxBytes) {
      // Without a byte there is nothing to return, however long it takes.
      const step = await (buffered.length === 0 ? next : Promise.race([next, isLate.promise]));
      if (step === 'late' || step.done === true) break;
      buffered.push(step.value);
      bufferedBytes += step.value.length;
      next = source.next();
    }
  } finally {
    clearTimeout(clock);
  }
  // Avoids an unhandled rejection if the returned stream is not read.
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
