/** Returns the symbolic code of an error of Node, the system or PostgreSQL; empty if it has none. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
