/** Work that keeps deadlocking must surface as an error instead of being repeated for ever. */
const maxTries = 4;

/** Runs work, and runs it again after the database undid it to resolve a deadlock. */
export async function retryDeadlocks<T>(
  isDeadlock: (error: unknown) => boolean,
  work: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries === maxTries || !isDeadlock(error)) throw error;
    }
  }
}
