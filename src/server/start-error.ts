/**
 * The server cannot start for a known reason. The message is one sentence for the operator, with the problem and
 * the remedy.
 */
export class StartError extends Error {
  override readonly name = 'StartError';
  /** Whether the reason may pass without anyone's doing, also if no cause says so. */
  readonly isTemporary: boolean;

  constructor(
    message: string,
    { isTemporary = false, ...options }: ErrorOptions & { isTemporary?: boolean } = {},
  ) {
    super(message, options);
    this.isTemporary = isTemporary;
  }
}

/** Returns the message for an error; null if the error is unknown. */
export type Explain = (error: unknown) => string | null;

/**
 * Runs one step of the start. A known failure is thrown as StartError. Any other error is thrown unchanged,
 * because its stack is needed.
 */
export async function explained<T>(explain: Explain, step: () => Promise<T> | T): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof StartError) throw error;
    const sentence = explain(error);
    throw sentence === null ? error : new StartError(sentence, { cause: error });
  }
}
