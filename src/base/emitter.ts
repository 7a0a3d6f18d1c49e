/**
 * Typed events. `on` returns a function that removes the listener. Listeners run in the order they were added and
 * may be removed while they run.
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
