/** A place in a drawing: x, y and the direction in degrees, clockwise from pointing right. */
type Place = readonly [x: number, y: number, degrees?: number];

/** A crash. `us` is the visitor's place, and `arrow` the tip of the other vehicle's arrow. */
type Crash = readonly [
  road: keyof typeof roads,
  body: keyof typeof bodies,
  us: Place,
  other: Place,
  hit: Place,
  arrow?: Place,
];

const verges = 'M0 0h64v7H0zM0 41h64v7H0z';
const corners = 'M0 0h18v10H0zM46 0h18v10H46zM0 38h18v10H0zM46 38h18v10H46z';
const middleLine = 'M1 24h6m5 0h6m5 0h6m5 0h6m5 0h6m5 0h6';
const crossingLines = 'M32 0v3m0 4v2m0 30v2m0 4v3M1 24h4m4 0h4m38 0h4m4 0h4';

/** Roads from above, 64 by 48: the ground beside the road, the marks, and bold lines. */
const roads = {
  street: [verges, middleLine],
  crossing: [corners, crossingLines],
  signal: [
    `${corners}M50 2h11q2 0 2 2v2q0 2-2 2H50q-2 0-2-2V4q0-2 2-2z`,
    `${crossingLines}M55.5 5h.01M59.5 5h.01`,
  ],
  zebra: [
    verges,
    'M38 10.5h13m-13 5h13m-13 5h13m-13 5h13m-13 5h13m-13 5h13M1 24h6m5 0h6m5 0h6m29 0h5',
  ],
  bays: ['M0 0h64v6H0z', 'M12 48V28m18 20V28m18 20V28M62 48V28'],
  openDoor: [verges, middleLine, 'M36 29.5 29 22'],
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

const arrowBack = 'M-8 0H0M-3.5-3.5 0 0l-3.5 3.5';

/** The drawings of crashes by name. */
const crashes = {
  rear: ['street', 'car', [50, 32.5], [25, 32.5], [37.5, 32.5], [10, 32.5]],
  left: ['crossing', 'car', [39, 38, -90], [30, 19, 52], [38, 26], [24.5, 8, 90]],
  light: ['signal', 'car', [39, 37, -90], [23, 29.5], [36, 27.5], [8, 29.5]],
  lane: ['street', 'car', [46, 33], [29, 20.5, 26], [39, 26], [14, 15, 16]],
  headOn: ['street', 'car', [15, 32.5], [40, 27, 158], [27.5, 31.5], [54, 18, 156]],
  parked: ['bays', 'car', [39, 37, -90], [25, 17.5, 14], [36.5, 24], [9.5, 14.5, 8]],
  drivesAway: ['street', 'car', [17, 32.5], [41, 17.5, -14], [28, 27], [61, 12.5, -14]],
  onFoot: ['zebra', 'person', [45, 27], [24, 28], [37, 28], [9, 28]],
  turning: ['crossing', 'person', [39, 38], [22, 28, 36], [32, 35], [10, 20, 22]],
  onFootLight: ['signal', 'person', [42, 27], [23, 29.5], [36, 27.5], [8, 29.5]],
  roadside: ['street', 'person', [46, 38], [25, 31, 16], [37, 35], [9.5, 26.5, 15]],
  lot: ['bays', 'person', [39, 13], [39, 34, 90], [39, 22.5], [21, 35, -90]],
  crossing: ['street', 'person', [46, 31], [25, 30], [37.5, 30], [10, 30]],
  bicycle: ['street', 'bicycle', [51, 31.5], [25, 32.5], [37.5, 32.5], [10, 32.5]],
  bicycleLeft: ['crossing', 'bicycle', [41, 35], [30, 19, 52], [38, 26], [24.5, 8, 90]],
  bicycleRight: ['crossing', 'bicycle', [29, 34], [40, 21, 44], [40, 31], [26, 15.5, 20]],
  bicycleDoor: ['openDoor', 'bicycle', [13, 27], [40, 34.5], [25.5, 24.5]],
  bicycleSide: ['street', 'bicycle', [48, 33], [29, 20.5, 26], [39, 26], [14, 15, 16]],
  bicycleLight: ['signal', 'bicycle', [42, 33], [23, 29.5], [36, 27.5], [8, 29.5]],
} satisfies Readonly<Record<string, Crash>>;

export type CrashName = keyof typeof crashes;

function at([x, y, degrees = 0]: Place): string {
  return `translate(${x} ${y}) rotate(${degrees})`;
}

type CrashProps = { readonly name: CrashName; readonly className?: string };

/** Draws a crash from above. The visitor is the light shape. Screen readers skip the drawing. */
export function CrashDrawing({ name, className = '' }: CrashProps) {
  const [road, body, us, other, hit, arrow]: Crash = crashes[name];
  const [ground, marks, bold] = roads[road];
  const isLine = body === 'bicycle';
  return (
    <svg className={`art crash ${className}`} viewBox="0 0 64 48" aria-hidden="true">
      <path fill="var(--art-near)" d="M0 0h64v48H0z" />
      <path fill="var(--art-far)" fillRule="evenodd" d={ground} />
      <g fill="none" stroke="var(--art-light)" strokeLinecap="round" strokeLinejoin="round">
        <path strokeWidth={road === 'zebra' ? 2 : 1.2} strokeOpacity=".45" d={marks} />
        {bold && <path strokeWidth="2.4" d={bold} />}
        {arrow && <path strokeWidth="2.4" d={arrowBack} transform={at(arrow)} />}
        {isLine && <path strokeWidth="1.8" d={bodies.bicycle} transform={at(us)} />}
      </g>
      <g fill="var(--art-light)">
        <path d={bodies.car} fillOpacity=".5" transform={at(other)} />
        {!isLine && <path d={bodies[body]} transform={at(us)} />}
      </g>
      {road === 'signal' && <circle fill="var(--art-sun)" cx="51.5" cy="5" r="2.2" />}
      <path fill="var(--art-sun)" stroke="var(--art-near)" d={star} transform={at(hit)} />
    </svg>
  );
}
