/**
 * The logo: its mark and the company's name. Which mark, and in which type, says `[data-logo]`
 * (src/site/themes/logos.ts); its colours are the theme's.
 */
export function Logo({ companyName }: { readonly companyName: string }) {
  return (
    <span className="logo">
      <span className="logo-mark" aria-hidden="true" />
      <span className="logo-name">{companyName}</span>
    </span>
  );
}
