import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { TypedDraft } from '#web/ui/text/typed-draft.ts';

export interface FieldDraft {
  /** The typed text; null while nothing was typed. */
  text: string | null;
  type: (text: string) => void;
  /** Saves the draft: the field was left. */
  leave: () => void;
  /** Restores the value from before. */
  discard: () => void;
}

/**
 * The draft of a field that shows `value` until something is typed. It is saved a second after the last key, when the
 * field is left or removed, and when the page is closed.
 */
export function useTypedDraft(value: string, save: (text: string) => void): FieldDraft {
  const [text, setText] = useState<string | null>(null);
  const saveLatest = useEffectEvent(save);
  const draft = useRef<TypedDraft | null>(null);
  useEffect(() => {
    const typed = new TypedDraft((next) => saveLatest(next));
    draft.current = typed;
    const handlePageHide = () => typed.save();
    addEventListener('pagehide', handlePageHide);
    return () => {
      removeEventListener('pagehide', handlePageHide);
      typed.leave();
    };
  }, []);
  return {
    text,
    type: (next) => {
      setText(next);
      draft.current?.type(next, value);
    },
    leave: () => {
      setText(null);
      draft.current?.leave();
    },
    discard: () => {
      setText(null);
      draft.current?.discard();
    },
  };
}
