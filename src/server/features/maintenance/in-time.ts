/** Returns the result of a check, or `otherwise` if it takes longer. The check itself goes on. */
export async function inTime<Result, Otherwise>(
  check: Promise<Result>,
  { timeoutMs, otherwise }: { timeoutMs: number; otherwise: Otherwise },
): Promise<Result | Otherwise> {
  const timeout = Promise.withResolvers<Otherwise>();
  const timer = setTimeout(() => {
    timeout.resolve(otherwise);
  }, timeoutMs);
  try {
    return await Promise.race([check, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}
