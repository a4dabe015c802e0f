import type { CheckedService } from './ask.ts';

/** Caches the answers of third parties by service and hashed value. */
export type AnswerStore = {
  /** Returns undefined if there is no recent answer or the store fails. Quick; never throws. */
  recall(service: CheckedService, asked: string): Promise<unknown>;
  /** Recalls several answers at once; unknown ones are missing in the map. */
  recallAll(
    wanted: readonly { readonly service: CheckedService; readonly asked: string }[],
  ): Promise<ReadonlyMap<string, unknown>>;
  /** Stores an answer: at once for this process, soon for the others. */
  keep(service: CheckedService, asked: string, answer: unknown): void;
};
