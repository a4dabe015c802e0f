import { storable } from '../../intake/storable.ts';

/** Returns rows as one JSON parameter, with texts from outside made fit for `jsonb`. */
export function toJson(rows: readonly object[]): string {
  return JSON.stringify(rows.map((row) => storable({ ...row })));
}
