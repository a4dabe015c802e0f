/** Exit codes of the operators' command; documented in its help and in the operators' guide. */
export const EXIT = { ok: 0, failed: 1, usage: 2, notFound: 3 } as const;

/** Ends the command with one sentence on standard error and a code. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exitCode: number;

  constructor(message: string, exitCode: number = EXIT.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}
