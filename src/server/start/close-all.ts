/** Closes everything that was opened, the last first, even if a part of it cannot be closed. */
export async function closeAll(closers: (() => void | Promise<void>)[]): Promise<void> {
  const closer = closers.pop();
  if (closer === undefined) return;
  try {
    await closer();
  } finally {
    await closeAll(closers);
  }
}
