/** The languages of the surveys and of everything that they show. */
export const languages = ['en', 'es'] as const;
export type Language = (typeof languages)[number];
