/** The members of a text field that are compared. */
export interface ComparedField {
  readonly value: string;
  readonly isConnected: boolean;
}

/** Remembers what the text fields of a dialog held when they got the focus first. */
export class TypedFields {
  readonly #first = new Map<ComparedField, string>();

  noteFocus(field: ComparedField): void {
    if (!this.#first.has(field)) this.#first.set(field, field.value);
  }

  /** Whether a field that is still there holds another text than at first, apart from spaces around it. */
  get isChanged(): boolean {
    return [...this.#first].some(
      ([field, first]) => field.isConnected && field.value.trim() !== first.trim(),
    );
  }
}

/** The text field that an event is about; null for everything else, and for what is secret or is asked for again. */
export function textFieldOf(target: EventTarget): ComparedField | null {
  if (target instanceof HTMLTextAreaElement) return target.readOnly ? null : target;
  const isText =
    target instanceof HTMLInputElement && ['text', 'search', 'url', 'email', 'tel'].includes(target.type);
  return isText && !target.readOnly ? target : null;
}
