/** Closes what was opened, the last first. */
export async function closeAll(closers: (() => void | Promise<void>)[]): Promise<void> {
  for (let closer = closers.pop(); closer; closer = closers.pop()) await closer();
}
