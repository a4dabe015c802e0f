/** The icons as SVG paths on a grid of 16 × 16. */
const paths = {
  overview: 'M2.5 13.5h11M4.5 11V7.5M8 11V3.5M11.5 11V6',
  leads: 'M2.5 4h11M2.5 8h11M2.5 12h7',
  deliveries: 'M2.5 8h9M8 4l4 4-4 4M13.5 3v10',
  buyers:
    'M8 1.8v12.4M11 4.6C10.5 3.7 9.4 3.3 8 3.3c-1.7 0-3 .8-3 2.3s1.3 2 3 2.4 3 .9 3 2.4-1.3 2.3-3 2.3c-1.4 0-2.5-.4-3-1.3',
  plans: 'M2.5 4.5l1.2 1.2 2-2.2M8 4.5h5.5M2.5 11.5l1.2 1.2 2-2.2M8 11.5h5.5',
  funnels: 'M2.5 3h11l-4 5v4.5l-3 1V8z',
  surveys: 'M4 2.5h8v11H4zM6.5 5.5h3M6.5 8h3M6.5 10.5h1.5',
  people: 'M8 2l5 2v4c0 3-2 5-5 6-3-1-5-3-5-6V4zM5.8 8l1.6 1.6L10.3 6.5',
  system: 'M2.5 3h11v4h-11zM2.5 9h11v4h-11zM5 5h.01M5 11h.01',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  calendar: 'M2.5 4h11v9.5h-11zM2.5 6.8h11M5.5 2.5V5M10.5 2.5V5',
  down: 'M4.5 6.5L8 10l3.5-3.5',
  up: 'M4.5 9.5L8 6l3.5 3.5',
  right: 'M6.5 4.5L10 8l-3.5 3.5',
  close: 'M4 4l8 8M12 4l-8 8',
  check: 'M3.5 8.5l3 3 6-7',
  alert: 'M8 2.8l5.7 10.2H2.3zM8 6.5v3M8 11.3h.01',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  play: 'M5 3.2l7.5 4.8L5 12.8z',
  download: 'M8 2.5v7M5 7l3 3 3-3M3 13.5h10',
  external: 'M6.5 3.5h-3v9h9v-3M9 3h4v4M13 3L7.5 8.5',
  eye: 'M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8M8 6.2a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6',
  key: 'M5 6.5a2.7 2.7 0 1 0 0 5.4 2.7 2.7 0 0 0 0-5.4M7 7.4l5.5-4.9M10.5 4.3l1.8 2',
} as const;

export type IconName = keyof typeof paths;

/** Draws an icon, which screen readers skip. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
