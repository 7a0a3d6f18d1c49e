/** Returns the result of work, or `otherwise` if it takes longer. The work itself continues. */
export async function inTime<Result, Otherwise>(
  work: Promise<Result>,
  { timeoutMs, otherwise }: { timeoutMs: number; otherwise: Otherwise },
): Promise<Result | Otherwise> {
  const timeout = Promise.withResolvers<Otherwise>();
  const timer = setTimeout(() => {
    timeout.resolve(otherwise);
  }, timeoutMs);
  try {
    return await Promise.race([work, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}
