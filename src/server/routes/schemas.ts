/** Shapes that several routes take. */

/** A UUID of any version: ours are version 7, and one of another kind is still the visitor's lead. */
export const leadIdSchema = {
  type: 'string',
  pattern:
    '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$',
} as const;
