/** One or more settings are bad. The message names each with what it was expected to be. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}
