/** The logo: a mark (a shield with a road) and the company's name. Colours come from the theme. */
export function Logo({ companyName }: { readonly companyName: string }) {
  return (
    <span className="logo">
      <svg className="logo-mark" viewBox="0 0 32 32" aria-hidden="true">
        <path
          className="logo-shield"
          d="M16 2 4.5 6.2v8.6c0 7 4.7 12.4 11.5 15.2 6.8-2.8 11.5-8.2 11.5-15.2V6.2z"
        />
        <path
          className="logo-road"
          d="M14.6 8h2.8l.3 3.6h-3.4zM14 14h4l.4 4.4h-4.8zm-.7 7h5.4l.4 4.2-3.1 1.9-3.1-1.9z"
        />
      </svg>
      <span className="logo-name">{companyName}</span>
    </span>
  );
}
