/**
 * The server cannot start, for a reason that is known. The message is one sentence for the operator: what is
 * wrong with what, and the remedy.
 */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** Finds the sentence of an error; null where the error is unknown. */
export type Explain = (error: unknown) => string | null;

/**
 * Runs one step of the start. A failure that is known is thrown as StartError, any other one as it is,
 * because only its stack says more.
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
