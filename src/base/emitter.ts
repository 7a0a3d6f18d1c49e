/**
 * Typed events: `on` returns its own undo, listeners run in the order they came, a listener may leave while
 * it runs.
 */
export interface Emitter<Events extends object> {
  on<Type extends keyof Events>(type: Type, listener: (detail: Events[Type]) => void): () => void;
  emit<Type extends keyof Events>(type: Type, detail: Events[Type]): void;
}

export function createEmitter<Events extends object>(): Emitter<Events> {
  const listeners: { [Type in keyof Events]?: Set<(detail: Events[Type]) => void> } = {};
  return {
    on(type, listener) {
      const ofType = (listeners[type] ??= new Set());
      ofType.add(listener);
      return () => {
        ofType.delete(listener);
      };
    },
    emit(type, detail) {
      for (const listener of listeners[type] ?? []) listener(detail);
    },
  };
}
