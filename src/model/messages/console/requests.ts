/** Schemas of the requests that the console sends. */
import {
  type ArrayOptions,
  type Static,
  type TOptional,
  type TString,
  Type,
} from '@sinclair/typebox';
import { type LeadFilterKey, leadFilterKeys } from './leads.ts';
import { MOST_IMPORT_LENGTH } from './people-requests.ts';
import { planActions } from './work.ts';

export const textOf = (maxLength: number) => Type.String({ maxLength });
/** Returns the schema of a text that must be one of the values. */
export const oneOf = <const Value extends string>(values: readonly Value[]) =>
  Type.Unsafe<Value>({ type: 'string', enum: [...values] });
const listOf = (items: TString, options: ArrayOptions) =>
  Type.Unsafe<readonly string[]>(Type.Array(items, options));
export const uuid = Type.String({ format: 'uuid' });
/** Schema of a UUID of any version. */
export const leadId = Type.String({
  pattern:
    '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$',
});
/** Schema of a day (`YYYY-MM-DD`). */
export const day = Type.String({
  pattern: '^20\\d{2}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$',
});
export const reason = Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' });

/** Schema of an adjustment. Without a delivery, it is about the lead's cost. */
export const adjustmentRequest = Type.Object({
  key: uuid,
  deliveryId: Type.Optional(uuid),
  /** US dollars. Above 0: we gain. */
  amount: Type.Number({ minimum: -1_000_000, maximum: 1_000_000 }),
  reason,
});
export type AdjustmentRequest = Static<typeof adjustmentRequest>;

const filterKeys = Object.fromEntries(
  leadFilterKeys.map((key) => [key, Type.Optional(textOf(300))]),
) as Record<LeadFilterKey, TOptional<TString>>;
/** Schema of a query string with a lead filter. */
export const filterQuery = Type.Object(filterKeys);
const filterBody = Type.Object(filterKeys, { additionalProperties: false });

/** Schema of a request for a bulk action. */
export const planRequest = Type.Object(
  {
    action: oneOf(planActions),
    reason,
    filter: Type.Optional(filterBody),
    leadIds: Type.Optional(listOf(leadId, { minItems: 1, maxItems: 5_000 })),
    /** Selects the failed deliveries of a destination. */
    recover: Type.Optional(
      Type.Object({
        destination: textOf(40),
        since: Type.Unsafe<string>({
          type: 'string',
          anyOf: [{ format: 'date' }, { format: 'date-time' }],
        }),
      }),
    ),
  },
  { additionalProperties: false },
);
export type PlanRequest = Static<typeof planRequest>;

export const leadExportRequest = Type.Object(
  {
    format: oneOf(['csv', 'json']),
    filter: filterBody,
    reason,
  },
  { additionalProperties: false },
);
export type LeadExportRequest = Static<typeof leadExportRequest>;

/** Schema of a request about a person. */
export const personRequest = Type.Object({
  person: Type.String({ minLength: 1, maxLength: 320, pattern: '\\S' }),
  reason,
});
export type PersonRequest = Static<typeof personRequest>;

/** The fields of a request to import a file, whose first line names the columns. */
export const fileFields = { csv: textOf(MOST_IMPORT_LENGTH), isDryRun: Type.Boolean() };

/** Schema of an import to the suppression list. Each line of `csv` is a person. */
export const importRequest = Type.Object({ ...fileFields, reason });
