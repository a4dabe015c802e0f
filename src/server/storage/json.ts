import { storable } from '../../intake/storable.ts';

/** Rows as one JSON parameter; whatever somebody else said in them is made fit for `jsonb`. */
export function toJson(rows: readonly object[]): string {
  return JSON.stringify(rows.map((row) => storable({ ...row })));
}
