/** The languages of the surveys. */
export const languages = ['en', 'es'] as const;
export type Language = (typeof languages)[number];
