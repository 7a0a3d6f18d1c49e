/** One property of the configured store, as `earshot doctor --storage` reports it. */
export interface StorageCheck {
  name: string;
  /** Whether Earshot works without it. */
  isNeeded: boolean;
  verdict: 'ok' | 'missing';
  /** What was found, for example how long it took. */
  detail: string;
}
