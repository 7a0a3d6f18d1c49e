/** Copies a text that is known later. Browsers allow copying only during a press, and a link needs a request first. */
export interface DelayedCopy {
  /** Resolves to whether the text is on the clipboard. */
  put: (text: string) => Promise<boolean>;
  /** Leaves the clipboard as it is. */
  cancel: () => void;
}

const succeeds = (promise: Promise<unknown>): Promise<boolean> =>
  promise.then(
    () => true,
    () => false,
  );

/** Starts a copy. Call it during the press. */
export function startCopy(clipboard: Clipboard | undefined = globalThis.navigator?.clipboard): DelayedCopy {
  if (!clipboard) return { put: () => Promise.resolve(false), cancel: () => undefined };
  const { promise, resolve, reject } = Promise.withResolvers<Blob>();
  // A rejection only says that nothing was copied.
  promise.catch(() => undefined);
  const written =
    'ClipboardItem' in globalThis
      ? succeeds(clipboard.write([new ClipboardItem({ 'text/plain': promise })]))
      : Promise.resolve(false);
  return {
    put: async (text) => {
      resolve(new Blob([text], { type: 'text/plain' }));
      return (await written) || succeeds(clipboard.writeText(text));
    },
    cancel: () => {
      reject(new Error('nothing to copy'));
    },
  };
}
