/** A file whose handles the system may close, and withhold, at any time. */
export class WithheldFile {
  content = new Uint8Array();
  isWithheld = false;

  readonly handle = {
    createSyncAccessHandle: async () => {
      if (this.isWithheld) throw new DOMException('suspended', 'InvalidStateError');
      return this.#access();
    },
    getFile: async () => new File([this.content], 'slot'),
  } as unknown as FileSystemFileHandle;

  #access(): object {
    const open = <T>(value: T): T => {
      if (this.isWithheld) throw new DOMException('suspended', 'InvalidStateError');
      return value;
    };
    return {
      getSize: () => open(this.content.length),
      truncate: (sizeBytes: number) => {
        this.content = open(this.content).slice(0, sizeBytes);
      },
      flush: () => open(undefined),
      close: () => undefined,
      read: (target: Uint8Array, { at }: { at: number }) => {
        target.set(open(this.content).subarray(at, at + target.length));
        return target.length;
      },
      write: (bytes: Uint8Array, { at }: { at: number }) => {
        const next = new Uint8Array(Math.max(open(this.content).length, at + bytes.length));
        next.set(this.content);
        next.set(bytes, at);
        this.content = next;
        return bytes.length;
      },
    };
  }
}
