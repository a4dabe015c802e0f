/** A place in a drawing: x, y and the direction in degrees, clockwise from pointing right. */
type Place = readonly [x: number, y: number, degrees?: number];

type Crash = {
  readonly road: keyof typeof roads;
  /** The visitor: in a car, on a bicycle or on foot. */
  readonly us: readonly [body: keyof typeof bodies, ...Place];
  readonly other: Place;
  /** An arrow that shows where the other vehicle goes. */
  readonly arrow: string;
  readonly hit: Place;
};

const verges = 'M0 0h64v7H0zM0 41h64v7H0z';
const corners = 'M0 0h18v10H0zM46 0h18v10H46zM0 38h18v10H0zM46 38h18v10H46z';
const middleLine = 'M1 24h6m5 0h6m5 0h6m5 0h6m5 0h6m5 0h6';
const crossingLines = 'M32 0v3m0 4v2m0 30v2m0 4v3M1 24h4m4 0h4m38 0h4m4 0h4';

/** Roads from above in a view box of 64 by 48: the ground beside the road, and its marks. */
const roads = {
  street: [verges, middleLine],
  crossing: [corners, crossingLines],
  signal: [`${corners}M50 2h11q2 0 2 2v2q0 2-2 2H50q-2 0-2-2V4q0-2 2-2z`, crossingLines],
  zebra: [
    verges,
    'M38 10.5h13m-13 5h13m-13 5h13m-13 5h13m-13 5h13m-13 5h13M1 24h6m5 0h6m5 0h6m29 0h5',
  ],
  bays: ['M0 0h64v6H0z', 'M12 48V28m18 20V28m18 20V28M62 48V28'],
} as const;

/** Shapes around the point 0 0. The car is seen from above and points to the right. */
const bodies = {
  car: 'M-7.5-5h14Q10.5-5 10.5-1.5v3q0 3.5-4 3.5h-14q-3 0-3-3v-4q0-3 3-3zM2-3.6q1.6 3.6 0 7.2l2.2.7q1.8-4.3 0-8.6zM-6.3-3.6q-1.1 3.6 0 7.2l1.7-.5q-.9-3.1 0-6.2z',
  bicycle:
    'm-6.5 3.5 3.5-7h6.5l3 7M-3-3.5l3 7 3.5-7M-4.5-3.5h3M2.5-6H5M-9.8 3.5a3.3 3.3 0 1 0 6.6 0a3.3 3.3 0 1 0-6.6 0zM3.2 3.5a3.3 3.3 0 1 0 6.6 0a3.3 3.3 0 1 0-6.6 0z',
  person:
    'M0-9a2.3 2.3 0 0 1 0 4.6 2.3 2.3 0 0 1 0-4.6zM-2.2-3.7h4.4l2.3 5-1.6.8-1.5-2.6.9 8.5H.6L0 3l-.6 5h-1.7l.9-8.5-1.5 2.6-1.6-.8z',
} as const;

const star =
  'M0-7 1.6-3.8 4.9-4.9 3.8-1.6 7 0 3.8 1.6 4.9 4.9 1.6 3.8 0 7-1.6 3.8-4.9 4.9-3.8 1.6-7 0-3.8-1.6-4.9-4.9-1.6-3.8z';

const rear = {
  road: 'street',
  us: ['car', 50, 32.5],
  other: [25, 32.5],
  arrow: 'M2 32.5h8m-3.5-3.5 3.5 3.5-3.5 3.5',
  hit: [37.5, 32.5],
} as const;

const left = {
  road: 'crossing',
  us: ['car', 39, 38, -90],
  other: [30, 19, 52],
  arrow: 'M24.5 1v6M21 3.5 24.5 7 28 3.5',
  hit: [38, 26],
} as const;

const light = {
  road: 'signal',
  us: ['car', 39, 37, -90],
  other: [23, 29.5],
  arrow: 'M1 29.5h7M4.5 26 8 29.5 4.5 33M51.5 5h.01M55.5 5h.01M59.5 5h.01',
  hit: [36, 27.5],
} as const;

const lane = {
  road: 'street',
  us: ['car', 46, 33],
  other: [29, 20.5, 26],
  arrow: 'M3 14.5q6-.5 11 1.5M11.5 12 14 16l-4.5 2',
  hit: [39, 26],
} as const;

/** The drawings of crashes by name. */
const crashes = {
  rear,
  left,
  light,
  lane,
  headOn: {
    road: 'street',
    us: ['car', 15, 32.5],
    other: [40, 27, 158],
    arrow: 'M62 14.5q-5 .5-8 4m5.2.4-5.2-.4.2-5',
    hit: [27.5, 31.5],
  },
  parked: {
    road: 'bays',
    us: ['car', 39, 37, -90],
    other: [25, 17.5, 14],
    arrow: 'M2 13.5 9.5 14.5M6.5 10.5 9.5 14.5 5.5 17.5',
    hit: [36.5, 24],
  },
  drivesAway: {
    road: 'street',
    us: ['car', 17, 32.5],
    other: [41, 17.5, -14],
    arrow: 'M53.5 14.5 61 12.5M57 9.5l4 3-2 4.5',
    hit: [28, 27],
  },
  onFoot: {
    road: 'zebra',
    us: ['person', 45, 27],
    other: [24, 28],
    arrow: 'M1 28h8m-3.5-3.5L9 28l-3.5 3.5',
    hit: [37, 28],
  },
  turning: {
    road: 'crossing',
    us: ['person', 39, 38],
    other: [22, 28, 36],
    arrow: 'M1 18.5q5 0 9 2M7.5 15.5 10 20.5 5 22.5',
    hit: [32, 35],
  },
  onFootLight: { ...light, us: ['person', 42, 27] },
  roadside: {
    road: 'street',
    us: ['person', 46, 38],
    other: [25, 31, 16],
    arrow: 'M2 24.5 9.5 26.5M6.5 22.5 9.5 26.5 5.5 29.5',
    hit: [37, 35],
  },
  lot: {
    road: 'bays',
    us: ['person', 39, 13],
    other: [39, 34, 90],
    arrow: 'M21 44v-9m-3.5 3.5L21 35l3.5 3.5',
    hit: [39, 22.5],
  },
  crossing: {
    road: 'street',
    us: ['person', 46, 31],
    other: [25, 30],
    arrow: 'M2 30h8m-3.5-3.5L10 30l-3.5 3.5',
    hit: [37.5, 30],
  },
  bicycle: { ...rear, us: ['bicycle', 51, 31.5] },
  bicycleLeft: { ...left, us: ['bicycle', 41, 35] },
  bicycleRight: {
    road: 'crossing',
    us: ['bicycle', 29, 34],
    other: [40, 21, 44],
    arrow: 'M16 15q6-.5 11 1M24 11.5 27 16 22.5 19',
    hit: [40, 31],
  },
  bicycleDoor: {
    road: 'street',
    us: ['bicycle', 13, 27],
    other: [40, 34.5],
    // The open door.
    arrow: 'M36 29.5 29 22',
    hit: [25.5, 24.5],
  },
  bicycleSide: { ...lane, us: ['bicycle', 48, 33] },
  bicycleLight: { ...light, us: ['bicycle', 42, 33] },
} satisfies Readonly<Record<string, Crash>>;

export type CrashName = keyof typeof crashes;

function at([x, y, degrees = 0]: Place): string {
  return `translate(${x} ${y}) rotate(${degrees})`;
}

type CrashProps = { readonly name: CrashName; readonly className?: string };

/** A crash from above, in the theme's colours, hidden from screen readers. We are the light shape. */
export function CrashDrawing({ name, className = '' }: CrashProps) {
  const { road, us, other, arrow, hit }: Crash = crashes[name];
  const [ground, marks] = roads[road];
  const [body, ...place] = us;
  const isLine = body === 'bicycle';
  return (
    <svg className={`art crash ${className}`} viewBox="0 0 64 48" aria-hidden="true">
      <path fill="var(--art-near)" d="M0 0h64v48H0z" />
      <path fill="var(--art-far)" fillRule="evenodd" d={ground} />
      <g fill="none" stroke="var(--art-light)" strokeLinecap="round" strokeLinejoin="round">
        <path strokeWidth={road === 'zebra' ? 2 : 1.2} strokeOpacity=".45" d={marks} />
        <path strokeWidth="2.4" d={arrow} />
        {isLine && <path strokeWidth="1.8" d={bodies.bicycle} transform={at(place)} />}
      </g>
      <g fill="var(--art-light)">
        <path d={bodies.car} fillOpacity=".5" transform={at(other)} />
        {!isLine && <path d={bodies[body]} transform={at(place)} />}
      </g>
      <path fill="var(--art-sun)" stroke="var(--art-near)" d={star} transform={at(hit)} />
    </svg>
  );
}
