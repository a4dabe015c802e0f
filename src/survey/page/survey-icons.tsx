import type { ReactNode } from 'react';
import type { Flow, Step } from '../../flows/engine/flow.ts';
import { iconId } from '../screens/icon-id.ts';

const truck = (
  <>
    <path d="M2.5 6h11v10.5h-11zM13.5 9.5h4l3.5 3.5v3.5h-7.5" />
    <circle cx="7" cy="17" r="1.9" />
    <circle cx="17" cy="17" r="1.9" />
  </>
);

/** Every icon by its id, drawn in lines on a field of 24 by 24. */
const icons: Readonly<Record<string, ReactNode>> = {
  // Vehicles, and accidents with them
  'i-car': (
    <path d="M4 16.5v-4l1.8-5A2 2 0 0 1 7.7 6.2h8.6a2 2 0 0 1 1.9 1.3l1.8 5v4M4 12.5h16M4 16.5h16v2h-2.5v-2M4 16.5v2h2.5v-2M7 14.6h1M16 14.6h1" />
  ),
  'i-truck': truck,
  'i-commercial': truck,
  'i-motorcycle': (
    <>
      <circle cx="5.5" cy="16" r="3" />
      <circle cx="18.5" cy="16" r="3" />
      <path d="M5.5 16h5l4-5.5H8.5L6 8.5H3.5M18.5 16l-4-9h2.5" />
    </>
  ),
  'i-pedestrian': (
    <>
      <circle cx="12.8" cy="4.3" r="1.7" />
      <path d="m12.3 8.3-1 6 3 2.7 1.2 4M11.3 14.3 9.5 21M8 12.5l1.2-3.2 3.1-1 1.8 2.9 2.9 1" />
    </>
  ),
  'i-bicycle': (
    <>
      <circle cx="5.5" cy="15.5" r="3.3" />
      <circle cx="18.5" cy="15.5" r="3.3" />
      <path d="m5.5 15.5 3.5-7h6.5l3 7M9 8.5l3 7 3.5-7M7.5 8.5h3M14.5 6h2.5" />
    </>
  ),
  'i-suv': (
    <>
      <path d="M4.8 16.5H3v-9A1.5 1.5 0 0 1 4.5 6h9.3l4.7 5.5 2.5.8v4.2h-1.8M9.2 16.5h5.6M3 11.5h15.5M10.5 6v5.5" />
      <circle cx="7" cy="17" r="1.9" />
      <circle cx="17" cy="17" r="1.9" />
    </>
  ),
  'i-bus': (
    <>
      <path d="M6.2 17H3.5V6.5A1.5 1.5 0 0 1 5 5h14a1.5 1.5 0 0 1 1.5 1.5V17h-2.7M9.8 17h4.4M3.5 12h17M9.2 5v7M14.8 5v7" />
      <circle cx="8" cy="17.5" r="1.8" />
      <circle cx="16" cy="17.5" r="1.8" />
    </>
  ),
  'i-other': (
    <>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M8 12h.01M12 12h.01M16 12h.01" />
    </>
  ),

  // Injuries
  'i-back': (
    <>
      <circle cx="12" cy="4.6" r="2.3" />
      <path d="M6.5 21v-7a5.5 5 0 0 1 11 0v7M12 12v1.5M12 15.5V17M12 19v1.5" />
    </>
  ),
  'i-broken': (
    <path d="M10.2 10.8 7.8 8.4a2 2 0 1 0-2.6-2.8 2 2 0 1 0-1 3.6l4.4 4.2 1.7-.5zM13.8 13.2l2.4 2.4a2 2 0 1 0 2.6 2.8 2 2 0 1 0 1-3.6l-4.4-4.2-1.7.5zM13.5 6.5l.6-2M16.5 8.5l2-.6" />
  ),
  'i-whiplash': (
    <>
      <circle cx="12" cy="8.5" r="3.5" />
      <path d="M5 20.5a7 6 0 0 1 14 0M6.2 4.5a7 7 0 0 0-1 6.5M17.8 4.5a7 7 0 0 1 1 6.5" />
    </>
  ),
  'i-head': (
    <>
      <circle cx="12" cy="9" r="5.5" />
      <path d="M6.7 8.5 17 11.5M7.7 5.6l9.7 2.8M5.5 21a6.5 5 0 0 1 13 0" />
    </>
  ),
  'i-spinal': (
    <path d="M9.5 3h5v3.3h-5zM9.5 8.5h5v3.3h-5zM9.5 14h5v3.3h-5zM12 17.3V21M12 6.3v2.2M12 11.8V14M6.5 4.6h3M14.5 4.6h3M6.5 10.1h3M14.5 10.1h3M6.5 15.6h3M14.5 15.6h3" />
  ),
  'i-loss': <path d="M8 3.5h8M9 3.5l2.2 13.5h1.6L15 3.5M10 9.5h4M12 17v4" />,
  'i-cuts': (
    <path d="m4.4 13.2 8.8-8.8a3.1 3.1 0 0 1 4.4 0l2 2a3.1 3.1 0 0 1 0 4.4l-8.8 8.8a3.1 3.1 0 0 1-4.4 0l-2-2a3.1 3.1 0 0 1 0-4.4zM8.8 8.8l6.4 6.4M12 10.5h.01M10.5 12h.01M13.5 12h.01M12 13.5h.01" />
  ),

  // Treatment
  'i-emergency': (
    <path d="M5.5 4h13A1.5 1.5 0 0 1 20 5.5v13a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 18.5v-13A1.5 1.5 0 0 1 5.5 4zM12 8v8M8 12h8" />
  ),
  'i-doctor': (
    <>
      <path d="M6.5 3.5H5v5.5a4.5 4.5 0 0 0 9 0V3.5h-1.5M9.5 13.5v2a4.7 4.7 0 0 0 9.4 0v-1.7" />
      <circle cx="18.9" cy="12" r="1.8" />
    </>
  ),
  'i-chiropractor': (
    <>
      <circle cx="12" cy="4.5" r="1.9" />
      <path d="m4.5 10.5 7.5-2 7.5 2M12 8.5v5.5M12 14l-3.5 7M12 14l3.5 7" />
    </>
  ),
  'i-surgery': (
    <path d="M3.5 20.5 14 10M11.8 12.2l5.9-7.8a1.9 1.9 0 0 1 2.8 2.5l-6.3 7.7zM3.5 20.5c4.5-.3 8-2.3 10.7-5.9" />
  ),
};

/** The icons that the answers of a flow show. */
function iconsOf(flow: Flow): string[] {
  const steps: readonly Step[] = Object.values(flow.steps);
  const ids = steps.flatMap(({ choices = [] }) =>
    choices.flatMap((choice) => {
      const [field = '', value = ''] = Object.entries(choice)[0] ?? [];
      return iconId(field, value) ?? [];
    }),
  );
  return [...new Set(ids)];
}

/** One answer's icon by itself, for a page without a survey; none where the answer has none. */
export function AnswerIcon({ field, value }: { readonly field: string; readonly value: string }) {
  const id = iconId(field, value);
  return id === undefined ? null : (
    <svg className="line-icon" viewBox="0 0 24 24" aria-hidden="true">
      {icons[id]}
    </svg>
  );
}

/** The icons of a flow's answers, once in its page; screens refer to them by id (`iconId`). */
export function SurveyIcons({ flow }: { readonly flow: Flow }) {
  return (
    <svg className="sprite" aria-hidden="true">
      {iconsOf(flow).map((id) => (
        <symbol id={id} viewBox="0 0 24 24" key={id}>
          {icons[id]}
        </symbol>
      ))}
    </svg>
  );
}
