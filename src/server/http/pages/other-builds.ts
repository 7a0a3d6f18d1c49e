/** A file of another build of the web app, whole. */
export interface StoredAsset {
  mediaType: string;
  encoding: 'br' | null;
  bytes: Uint8Array;
}

/** The files below `/assets/` that this server's own build does not have. */
export interface OtherBuilds {
  /** Returns a file; null if no stored build has it. Cheap for any path. */
  find(path: string, options: { acceptsBrotli: boolean }): Promise<StoredAsset | null>;
}
