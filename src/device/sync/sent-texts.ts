/**
 * The answer to a capability that adds a marker or note. `existing`: the server had one of that id, and did not change
 * it. Its response only repeats what was sent.
 */
export type Addition = 'created' | 'existing';

/** The text that the server has of a marker or note; null if it is unknown. */
export interface TextOnServer {
  text: string | null;
}

/**
 * Finds out which text the server has of a marker or note after several attempts to add it. If the response to one was
 * lost and the text was changed since, the next one is answered as if the server had the new text.
 */
export class SentTexts {
  /** The text of the last attempt, by id. */
  readonly #attempted = new Map<string, string>();

  /** Makes one attempt. @param add sends the label with this text */
  async send(
    { id, text }: { id: string; text: string },
    add: () => Promise<Addition>,
  ): Promise<TextOnServer> {
    const before = this.#attempted.get(id) ?? null;
    this.#attempted.set(id, text);
    return { text: (await add()) === 'created' ? text : before };
  }
}
