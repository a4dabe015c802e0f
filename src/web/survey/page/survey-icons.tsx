import { buttonOf, type Flow, type Step } from '../../../model/flows/engine/flow.ts';
import { iconId } from '../screens/choice-screen.tsx';
import type { Icons } from '../screens/screen-props.ts';

const truck =
  'M4.6 16.5H2.5V6h11v10.5H8.4M13.5 9.5h4l3.5 3.5v3.5h-2.1M13.5 16.5h1.6M4.6 16.8a1.9 1.9 0 1 0 3.8 0a1.9 1.9 0 1 0-3.8 0zM15.1 16.8a1.9 1.9 0 1 0 3.8 0a1.9 1.9 0 1 0-3.8 0z';

/** Maps icon ids to SVG paths, drawn as lines in a 24 by 24 view box. */
const icons: Icons = {
  yes: 'm5 12.5 4.5 4.5 9.5-10',
  no: 'm6.5 6.5 11 11M17.5 6.5l-11 11',

  steps: 'M9.5 6h11M9.5 12h11M9.5 18h11m-17-12 1 1L6.5 5m-3 7 1 1 2-2m-3 7 1 1 2-2',
  free: 'M12 3.5a8.5 8.5 0 1 0 0 17a8.5 8.5 0 1 0 0-17zM14.8 9.2c-.5-1-1.5-1.4-2.8-1.4-1.6 0-2.7.8-2.7 2.1 0 2.9 5.6 1.4 5.6 4.2 0 1.3-1.2 2.1-2.9 2.1-1.4 0-2.5-.5-3-1.5M12 6.3v11.4',
  private:
    'M7 10.5h10a1.5 1.5 0 0 1 1.5 1.5v6.5A1.5 1.5 0 0 1 17 20H7a1.5 1.5 0 0 1-1.5-1.5V12A1.5 1.5 0 0 1 7 10.5zM8.2 10.5V7.8a3.8 3.8 0 0 1 7.6 0v2.7M12 14.2v2',

  car: 'M4 16.5v-4l1.8-5A2 2 0 0 1 7.7 6.2h8.6a2 2 0 0 1 1.9 1.3l1.8 5v4M4 12.5h16M4 16.5h16v2h-2.5v-2M4 16.5v2h2.5v-2M7 14.6h1M16 14.6h1',
  truck,
  commercial: truck,
  motorcycle:
    'M5.5 16h5l4-5.5H8.5L6 8.5H3.5M18.5 16l-4-9h2.5M2.5 16a3 3 0 1 0 6 0a3 3 0 1 0-6 0zM15.5 16a3 3 0 1 0 6 0a3 3 0 1 0-6 0z',
  pedestrian:
    'm12.3 8.3-1 6 3 2.7 1.2 4M11.3 14.3 9.5 21M8 12.5l1.2-3.2 3.1-1 1.8 2.9 2.9 1M11.1 4.3a1.7 1.7 0 1 0 3.4 0a1.7 1.7 0 1 0-3.4 0z',
  bicycle:
    'm5.5 15.5 3.5-7h6.5l3 7M9 8.5l3 7 3.5-7M7.5 8.5h3M14.5 6h2.5M2.2 15.5a3.3 3.3 0 1 0 6.6 0a3.3 3.3 0 1 0-6.6 0zM15.2 15.5a3.3 3.3 0 1 0 6.6 0a3.3 3.3 0 1 0-6.6 0z',
  suv: 'M4.8 16.5H3v-9A1.5 1.5 0 0 1 4.5 6h9.3l4.7 5.5 2.5.8v4.2h-1.8M9.2 16.5h5.6M3 11.5h15.5M10.5 6v5.5M5.1 17a1.9 1.9 0 1 0 3.8 0a1.9 1.9 0 1 0-3.8 0zM15.1 17a1.9 1.9 0 1 0 3.8 0a1.9 1.9 0 1 0-3.8 0z',
  bus: 'M6.2 17H3.5V6.5A1.5 1.5 0 0 1 5 5h14a1.5 1.5 0 0 1 1.5 1.5V17h-2.7M9.8 17h4.4M3.5 12h17M9.2 5v7M14.8 5v7M6.2 17.5a1.8 1.8 0 1 0 3.6 0a1.8 1.8 0 1 0-3.6 0zM14.2 17.5a1.8 1.8 0 1 0 3.6 0a1.8 1.8 0 1 0-3.6 0z',
  other: 'M8 12h.01M12 12h.01M16 12h.01M3.5 12a8.5 8.5 0 1 0 17 0a8.5 8.5 0 1 0-17 0z',

  back: 'M6.5 21v-7a5.5 5 0 0 1 11 0v7M12 12v1.5M12 15.5V17M12 19v1.5M9.7 4.6a2.3 2.3 0 1 0 4.6 0a2.3 2.3 0 1 0-4.6 0z',
  broken:
    'm13.9 12.9 2.7-2.7c.7-.7 1.6-.1 2.4-.1a2.5 2.5 0 1 0 0-5 .5.5 0 0 1-.5-.5 2.5 2.5 0 1 0-5 0c0 .8.6 1.7-.1 2.4l-2.1 2.2 1.6 1-.4 1.4zM9.1 11.3l-2.6 2.6c-.7.7-1.6.1-2.4.1a2.5 2.5 0 1 0 0 5 .5.5 0 0 1 .5.5 2.5 2.5 0 1 0 5 0c0-.8-.6-1.7.1-2.4l2.1-2.2-1.4-1.3.4-1.4z',
  whiplash:
    'M5 20.5a7 6 0 0 1 14 0M6.2 4.5a7 7 0 0 0-1 6.5M17.8 4.5a7 7 0 0 1 1 6.5M8.5 8.5a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z',
  head: 'M6.7 8.5 17 11.5M7.7 5.6l9.7 2.8M5.5 21a6.5 5 0 0 1 13 0M6.5 9a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0-11 0z',
  spinal:
    'M9 3.5h6v4H9zM9 10h6v4H9zM9 16.5h6v4H9zM12 7.5V10M12 14v2.5M9 5.5 5.5 7M15 5.5 18.5 7M9 12l-3.5 1.5M15 12l3.5 1.5M9 18.5 5.5 20M15 18.5l3.5 1.5',
  loss: 'M7.5 4.3c2.8-1.2 6.2-1.2 9 0M9 3.8v7.4l3 5.8v4M15 3.8v7.4L12 17M9 9.5h6',
  cuts: 'm4.4 13.2 8.8-8.8a3.1 3.1 0 0 1 4.4 0l2 2a3.1 3.1 0 0 1 0 4.4l-8.8 8.8a3.1 3.1 0 0 1-4.4 0l-2-2a3.1 3.1 0 0 1 0-4.4zM7.4 10.2l6.4 6.4M10.2 7.4l6.4 6.4M12 12h.01',

  emergency:
    'M5.5 4h13A1.5 1.5 0 0 1 20 5.5v13a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 18.5v-13A1.5 1.5 0 0 1 5.5 4zM12 8v8M8 12h8',
  doctor:
    'M6.5 3.5H5v5.5a4.5 4.5 0 0 0 9 0V3.5h-1.5M9.5 13.5v2a4.7 4.7 0 0 0 9.4 0v-1.7M17.1 12a1.8 1.8 0 1 0 3.6 0a1.8 1.8 0 1 0-3.6 0z',
  chiropractor:
    'm4.5 10.5 7.5-2 7.5 2M12 8.5v5.5M12 14l-3.5 7M12 14l3.5 7M10.1 4.5a1.9 1.9 0 1 0 3.8 0a1.9 1.9 0 1 0-3.8 0z',
  surgery: 'M3.5 20.5c4.6-.3 8.2-2.4 10.8-6L11.7 12zM11.7 12l6-7.4a1.9 1.9 0 0 1 2.8 2.5l-6.2 7.4',
};

/** Returns the icons of a flow's answers, and the icons with the ids `others`. */
export function iconsOf(flow: Flow, others: readonly string[] = []): Icons {
  const steps: readonly Step[] = Object.values(flow.steps);
  const ids = steps.flatMap(({ choices = [] }) =>
    choices.flatMap((choice) => iconId(...buttonOf(choice)) ?? []),
  );
  return Object.fromEntries([...ids, ...others].map((id) => [id, icons[id] ?? '']));
}

/** The icon of one answer, or nothing if the answer has no icon. */
export function AnswerIcon({ field, value }: { readonly field: string; readonly value: string }) {
  const id = iconId(field, value);
  return id === undefined ? null : (
    <svg className="line-icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={icons[id]} />
    </svg>
  );
}
