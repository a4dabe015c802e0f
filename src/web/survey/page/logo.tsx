import type { LogoName } from '../../../model/fields/look.ts';

/**
 * The logos' marks on a field of 32 by 32: `body` in the strong colour, `spark` in the warm one. They show a road into
 * the morning, a steady hand on the wheel, a bridge and a milestone. The logo `word` has no mark.
 */
const marks: Partial<Record<LogoName, { readonly body: string; readonly spark: string }>> = {
  road: {
    body: 'M2 16a14 14 0 0 1 28 0c0 3.4-1.2 6.5-3.2 9L19.2 16h-6.4L5.2 25A14 14 0 0 1 2 16zM7.3 27 13 19.5h6L24.7 27A14 14 0 0 1 16 30a14 14 0 0 1-8.7-3z',
    spark: 'M16 7a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7z',
  },
  wheel: {
    body: 'M16 2a14 14 0 1 1 0 28 14 14 0 0 1 0-28zm0 4A10 10 0 0 0 6.2 14h19.6A10 10 0 0 0 16 6zM6 17.5A10 10 0 0 0 14 25.8v-3.5c0-3-2-4.8-5-4.8zm12 8.300a10 10 0 0 0 8-8.300h-3c-3 0-5 1.8-5 4.8z',
    spark: 'M16 15.3a2.2 2.2 0 1 1 0 4.4 2.2 2.2 0 0 1 0-4.4z',
  },
  arch: {
    body: 'M2 27V19a14 14 0 0 1 28 0v8h-5v-8a9 9 0 0 0-18 0v8z',
    spark: 'M11 27v-8a5 5 0 0 1 10 0v8z',
  },
  marker: {
    body: 'M16 2a11 11 0 0 1 11 11c0 7.5-6.5 12.5-11 17C11.5 25.5 5 20.5 5 13A11 11 0 0 1 16 2zm0 5.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11z',
    spark: 'M16 10a3 3 0 1 1 0 6 3 3 0 0 1 0-6z',
  },
};

/**
 * The logo: its mark and the company's name. `[data-logo]` selects the typeface (src/web/styles/theme-css.ts); the
 * theme sets the colours. The mark is inline SVG: a picture in a style sheet would be fetched and decoded before the
 * first paint (docs/decisions/0032-page-loading.md).
 */
export function Logo({ companyName, logo }: { companyName: string; logo: LogoName }) {
  const mark = marks[logo];
  return (
    <span className="logo">
      {mark && (
        <svg className="logo-mark" viewBox="0 0 32 32" fillRule="evenodd" aria-hidden="true">
          <path className="logo-body" d={mark.body} />
          <path className="logo-spark" d={mark.spark} />
        </svg>
      )}
      <span className="logo-name">{companyName}</span>
    </span>
  );
}
