/** The command cannot do what was asked, for a reason that the operator can change. The message is a sentence. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}
