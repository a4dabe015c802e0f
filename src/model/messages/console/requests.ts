/** Schemas of the messages that the console sends. The browser uses only their types. */
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

/** Schema of a text with at most `maxLength` characters. */
export const textOf = (maxLength: number) => Type.String({ maxLength });
/** Schema of one of the given texts. */
export const oneOf = <const Value extends string>(values: readonly Value[]) =>
  Type.Unsafe<Value>({ type: 'string', enum: [...values] });
const listOf = (items: TString, options: ArrayOptions) =>
  Type.Unsafe<readonly string[]>(Type.Array(items, options));
export const uuid = Type.String({ format: 'uuid' });
/** A UUID of any version. Pages create version 7. */
export const leadId = Type.String({
  pattern:
    '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$',
});
/** A day of this century. The pattern allows days that do not exist, such as February 30. */
export const day = Type.String({
  pattern: '^20\\d{2}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$',
});
/** The reason for an operator's action: from a list, or in the operator's words. */
export const reason = Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' });

const filterKeys = Object.fromEntries(
  leadFilterKeys.map((key) => [key, Type.Optional(textOf(300))]),
) as Record<LeadFilterKey, TOptional<TString>>;
/** A lead filter in a query string, which may have further keys. */
export const filterQuery = Type.Object(filterKeys);
const filterBody = Type.Object(filterKeys, { additionalProperties: false });

/** A new plan's selection: by a filter, by lead ids, or failed deliveries of a destination. */
export const planRequest = Type.Object(
  {
    action: oneOf(planActions),
    reason,
    filter: Type.Optional(filterBody),
    leadIds: Type.Optional(listOf(leadId, { minItems: 1, maxItems: 5_000 })),
    /** Selects failed deliveries of a destination. `since`: a time, or a day in the operators' time zone. */
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

/** An export of leads. The audit log records the reason. */
export const leadExportRequest = Type.Object(
  {
    format: oneOf(['csv', 'json']),
    filter: filterBody,
    reason,
  },
  { additionalProperties: false },
);
export type LeadExportRequest = Static<typeof leadExportRequest>;

/** An action on a person. `person` is an e-mail address, a phone number or a lead id. */
export const personRequest = Type.Object({
  person: Type.String({ minLength: 1, maxLength: 320, pattern: '\\S' }),
  reason,
});
export type PersonRequest = Static<typeof personRequest>;

/** An import to the suppression list. `csv` has one person in each line. */
export const importRequest = Type.Object({ csv: textOf(MOST_IMPORT_LENGTH), reason });
export type ImportRequest = Static<typeof importRequest>;
