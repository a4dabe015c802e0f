/** The messages that the console sends. A schema is type, check and JSON schema at once; the browser uses the type only. */
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

/** A text of at most so many characters. */
export const textOf = (maxLength: number) => Type.String({ maxLength });
/** One of some texts. */
export const oneOf = <const Value extends string>(values: readonly Value[]) =>
  Type.Unsafe<Value>({ type: 'string', enum: [...values] });
const listOf = (items: TString, options: ArrayOptions) =>
  Type.Unsafe<readonly string[]>(Type.Array(items, options));
export const uuid = Type.String({ format: 'uuid' });
/** A UUID of any version. We create version 7, but accept others. */
export const leadId = Type.String({
  pattern:
    '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$',
});
/** A day of this century. Whether the calendar has it is checked when a period is read. */
export const day = Type.String({
  pattern: '^20\\d{2}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$',
});
/** Why an operator does something: a reason of a list, or words. */
export const reason = Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' });

const filterKeys = Object.fromEntries(
  leadFilterKeys.map((key) => [key, Type.Optional(textOf(300))]),
) as Record<LeadFilterKey, TOptional<TString>>;
/** The keys of a filter of leads in an address, which may have others beside them. */
export const filterQuery = Type.Object(filterKeys);
const filterBody = Type.Object(filterKeys, { additionalProperties: false });

/** What a new plan selects: a filter, chosen leads, or everything of a destination that failed since a time. */
export const planRequest = Type.Object(
  {
    action: oneOf(planActions),
    reason,
    filter: Type.Optional(filterBody),
    leadIds: Type.Optional(listOf(leadId, { minItems: 1, maxItems: 5_000 })),
    /** Only with `resend`. `since` is ISO 8601: a time, or a day of the operators. */
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

/** What an export contains. The reason goes to the audit log. */
export const leadExportRequest = Type.Object(
  {
    format: oneOf(['csv', 'json']),
    filter: filterBody,
    reason,
  },
  { additionalProperties: false },
);
export type LeadExportRequest = Static<typeof leadExportRequest>;

/** The body of every action on a person: an e-mail address, a phone number or a lead id, and why. */
export const personRequest = Type.Object({
  person: Type.String({ minLength: 1, maxLength: 320, pattern: '\\S' }),
  reason,
});
export type PersonRequest = Static<typeof personRequest>;

/** An import to the suppression list: the file's text, one person in a line. */
export const importRequest = Type.Object({ csv: textOf(MOST_IMPORT_LENGTH), reason });
export type ImportRequest = Static<typeof importRequest>;
