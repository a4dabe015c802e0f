/** The icons of the first question, once in the page; screens refer to them by id (`iconId`). */
export function SurveyIcons() {
  return (
    <svg className="sprite" aria-hidden="true">
      <symbol id="i-car" viewBox="0 0 24 24">
        <path d="M4 16.5v-4l1.8-5A2 2 0 0 1 7.7 6.2h8.6a2 2 0 0 1 1.9 1.3l1.8 5v4M4 12.5h16M4 16.5h16v2h-2.5v-2M4 16.5v2h2.5v-2M7 14.6h1M16 14.6h1" />
      </symbol>
      <symbol id="i-truck" viewBox="0 0 24 24">
        <path d="M2.5 6h11v10.5h-11zM13.5 9.5h4l3.5 3.5v3.5h-7.5" />
        <circle cx="7" cy="17" r="1.9" />
        <circle cx="17" cy="17" r="1.9" />
      </symbol>
      <symbol id="i-motorcycle" viewBox="0 0 24 24">
        <circle cx="5.5" cy="16" r="3" />
        <circle cx="18.5" cy="16" r="3" />
        <path d="M5.5 16h5l4-5.5H8.5L6 8.5H3.5M18.5 16l-4-9h2.5" />
      </symbol>
      <symbol id="i-pedestrian" viewBox="0 0 24 24">
        <circle cx="12.8" cy="4.3" r="1.7" />
        <path d="m12.3 8.3-1 6 3 2.7 1.2 4M11.3 14.3 9.5 21M8 12.5l1.2-3.2 3.1-1 1.8 2.9 2.9 1" />
      </symbol>
      <symbol id="i-bicycle" viewBox="0 0 24 24">
        <circle cx="5.5" cy="15.5" r="3.3" />
        <circle cx="18.5" cy="15.5" r="3.3" />
        <path d="m5.5 15.5 3.5-7h6.5l3 7M9 8.5l3 7 3.5-7M7.5 8.5h3M14.5 6h2.5" />
      </symbol>
      <symbol id="i-other" viewBox="0 0 24 24">
        <circle cx="12" cy="12" r="8.5" />
        <path d="M8 12h.010M12 12h.010M16 12h.010" />
      </symbol>
    </svg>
  );
}
