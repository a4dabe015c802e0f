import type { SceneName } from '../../../../model/fields/look.ts';

/**
 * Shapes of a drawing, coloured by their class: `far M0 246c…` is a path of class `art-far`, `disc 252 232 30` a spark
 * with its centre and radius.
 */
export type Shapes = readonly string[];

const classes: Readonly<Record<string, string>> = { 'far-line': 'art-line art-line--far' };

export function Drawing({ shapes }: { readonly shapes: Shapes }) {
  return shapes.map((shape) => {
    const [kind = '', ...numbers] = shape.split(' ');
    const [cx, cy, r] = numbers;
    return kind === 'disc' ? (
      <circle className="art-sun" cx={cx} cy={cy} r={r} key={shape} />
    ) : (
      <path className={classes[kind] ?? `art-${kind}`} d={numbers.join(' ')} key={shape} />
    );
  });
}

/** Draws a row of lit windows, 8 by 10, at the given places. */
function lit(...places: readonly (readonly [x: number, y: number])[]): string {
  return places.map(([x, y]) => `M${x} ${y}h8v10h-8z`).join('');
}

/** The winding road of the `road` scene, also used by the home page (src/web/site/sections/home.tsx). */
export const road: Shapes = [
  'road M118 400c34-44 132-56 150-80 15-20-56-28-44-50 6-11 22-16 34-20h9c-8 5-15 11-14 20 2 20 84 24 82 56-2 34-50 46-63 74z',
  'line M202 384c22-22 52-31 70-42M288 322c-4-12-24-19-37-27',
];

/**
 * The drawings on a field of 480 by 400. The header's strip on a phone shows y 150 to 273 with its words above 215, so
 * the horizon and whatever identifies a scene stand between 205 and 273. Each has one spark of `--art-sun`.
 */
const drawings: Readonly<Record<SceneName, Shapes>> = {
  road: [
    'disc 252 232 30',
    'far M0 246c60-30 110-34 170-14 50 16 90 10 140-8 60-20 110-14 170 10v166H0z',
    'mid M0 268c80-34 150-30 220-10 80 22 160 14 260-22v164H0z',
    'near M0 312c92-40 186-36 270-16 82 19 140 16 210-12v116H0z',
    ...road,
  ],
  coast: [
    'far M0 244h480v156H0zM230 214l150-20v38z',
    'mid M92 240v-32l22 32zm-4 0v-22l-14 22z',
    'near M64 243h56l-8 9H72z',
    'mid M130 400V284c26-4 44-18 78-20 30 0 50 10 80 14 60 8 120 2 192 10v112z',
    'near M208 266l5-44h14l5 44zm3-52 9-8 9 8z',
    'sun M214 222v-8h12v8z',
    'near M0 330c70-22 130 4 200-6s160-24 280 4v72H0z',
  ],
  mesa: [
    'disc 226 240 34',
    'far M0 256h30l14-36h72l10 24h40l14 14h120l16-22h50l12 22h102v142H0z',
    'mid M220 400V276l24-8 14-34h98l14 32 24 10h86v124z',
    'near M0 300c90-36 190-26 270-8 80 18 150 12 210-10v118H0z',
  ],
  meadow: [
    'disc 326 232 26',
    'far M0 252c90-38 170-28 250-6 80 20 150 10 230-16v170H0z',
    'near M146 268v-26l22-18 22 18v26zM212 268l13-38 13 38zM232 270l10-28 10 28z',
    'mid M0 274c100-26 200-22 290-2 70 16 130 10 190-8v136H0z',
    'near M0 326c120-30 220-24 300-6 70 14 130 8 180-4v84H0z',
  ],
  street: [
    'disc 246 222 13',
    'far M0 400V244h28v-10l22-18 22 18v10h26v-28h46v28h20v-12l26-20 26 20v12h52v-34h50v34h22v-10l24-20 24 20v10h40v-26h48v182z',
    `sun ${lit([46, 240], [110, 226], [126, 226], [186, 240], [280, 222], [298, 240], [430, 232])}`,
    'near M0 268h480v132H0zM76 268v-52h18v4H80v48zM362 268v-52h18v4h-14v48z',
    'far-line M0 300h480',
  ],
  map: [
    'contour M-10 196c90-50 170-40 240-6s150 30 260-34M-10 222c90-48 170-38 240-4s150 30 260-30M-10 248c90-44 170-34 240-2s150 28 260-26M-10 276c90-40 170-30 240 0s150 26 260-22M-10 306c90-36 170-26 240 2s150 24 260-18M-10 338c90-30 170-22 240 4s150 22 260-14M-10 372c90-26 170-18 240 4s150 18 260-10',
    'route M30 400c10-60 60-62 90-96s50-26 84-40 34-32 66-34',
    'sun M270 206a15 15 0 0 1 15 15c0 11-15 24-15 24s-15-13-15-24a15 15 0 0 1 15-15z',
  ],
  highway: [
    'far M0 258c70-22 150-18 222-14h36c70-6 150-4 222 14v142H0z',
    'near M-60 400 226 242h28l286 158zM106 268v-20h6v20z',
    'near m109 206 24 24-24 24-24-24z',
    'sky m109 213 17 17-17 17-17-17z',
    'sky m239 250-1 12h4l-1-12zm-2 22-2 18h10l-2-18zm-3 30-3 26h18l-3-26zm-5 40-5 40h32l-5-40z',
  ],
  vineyard: [
    'disc 232 232 25',
    'far M0 250c90-34 170-30 250-8s150 12 230-12v170H0z',
    'near M322 262c-11-4-13-34 0-58 13 24 11 54 0 58zm24 0c-9-3-11-26 0-44 11 18 9 41 0 44zM96 258v-16h10l10-9 10 9h16v16z',
    'mid M0 276c120-34 280-32 480-2v126H0z',
    'contour M10 400c50-50 100-84 160-122M90 400c40-50 74-86 110-122M180 400c20-46 36-84 50-124M280 400c-4-46-10-84-18-124M380 400c-24-50-52-90-84-124M470 400c-40-54-88-92-136-124',
  ],
  lagoon: [
    'disc 238 246 32',
    'stroke M96 224q9-9 18 0 9-9 18 0M318 214q7-7 14 0 7-7 14 0',
    'far M0 250q20-10 40 0t40 0 40 0 40 0 40 0 40 0 40 0 40 0 40 0 40 0 40 0 40 0v150H0z',
    'mid M-20 276q30-13 60 0t60 0 60 0 60 0 60 0 60 0 60 0 60 0 60 0v124H-20z',
    'near M0 316q40-16 80 0t80 0 80 0 80 0 80 0 80 0v84H0z',
  ],
  viaduct: [
    'contour M0 216h60M84 216h40M330 210h80M430 210h50M300 222h60M20 226h50',
    'far M0 242h480v158H0z',
    'sky M16 400v-92a32 36 0 0 1 64 0v92zm96 0v-92a32 36 0 0 1 64 0v92zm96 0v-92a32 36 0 0 1 64 0v92zm96 0v-92a32 36 0 0 1 64 0v92zm96 0v-92a32 36 0 0 1 64 0v92z',
    'near M0 240h480v6H0z',
    'sun M150 224h44v16h-44zm48 0h44v16h-44zm48 0h30l10 10v6h-40z',
    'mid M0 356c120-26 320-30 480-4v48H0z',
  ],
  bridge: [
    'disc 240 230 20',
    'cloud M30 232h66a13 13 0 0 0-16-14 19 19 0 0 0-36 2 11 11 0 0 0-14 12zm330-6h54a11 11 0 0 0-13-12 16 16 0 0 0-30 2 9 9 0 0 0-11 10z',
    'far M0 280h480v120H0z',
    'near M0 258h480v7H0zM138 300v-96h9v96zM333 300v-96h9v96z',
    'stroke M0 254q80-4 142-48 98 92 196 0 62 44 142 48M60 246v12M100 232v26M170 230v28M205 248v10M275 248v10M310 230v28M380 232v26M420 246v12',
    'mid M0 330q40-10 80 0t80 0 80 0 80 0 80 0 80 0v70H0z',
  ],
  skyline: [
    'disc 236 256 44',
    'far M0 400V246h34v-26h40v32h26v-40h38v36h30v-14h30v20h56v-22h20v-12h8v12h20v30h36v-30h36v20h36v-32h28v26h42v154z',
    'near M0 400V264h52v-14h34v20h60v-12h40v16h74v-12h44v10h60v-16h46v14h70v130z',
    `sun ${lit([14, 256], [110, 226], [288, 238], [362, 232], [416, 228])}`,
    'far-line M0 330h480',
  ],
};

/** A theme's scene, coloured by the theme; hidden from screen readers. It fills the width and is cut at the top. */
export function Scene({ name, className }: { name: SceneName; className: string }) {
  return (
    <svg
      className={`art ${className}`}
      viewBox="0 0 480 400"
      preserveAspectRatio="xMidYMax slice"
      aria-hidden="true"
    >
      <Drawing shapes={drawings[name]} />
    </svg>
  );
}

const signpost: Shapes = [
  'disc 168 62 22',
  'far M0 96c24-22 46-28 70-14 20 11 36 14 58 0 26-18 50-14 68-2 16 10 30 10 44 2v68H0z',
  'mid M0 122c40-22 84-24 124-10 40 13 78 12 116-4v42H0z',
  'near M70 44a4 4 0 0 1 8 0v82h-8z',
  'sign M46 48h56l13 12-13 12H46a4 4 0 0 1-4-4V52a4 4 0 0 1 4-4z',
  'mark M54 60h34',
];

/** An empty signpost at the roadside, for unknown addresses and an empty video gallery. */
export function SignpostScene({ className = '' }: { readonly className?: string }) {
  return (
    <svg className={`art ${className}`} viewBox="0 0 240 150" aria-hidden="true">
      <Drawing shapes={signpost} />
    </svg>
  );
}

const stepDrawings: readonly Shapes[] = [
  // Questions, one at a time
  [
    'far M12 14h40a6 6 0 0 1 6 6v26a6 6 0 0 1-6 6H12a6 6 0 0 1-6-6V20a6 6 0 0 1 6-6z',
    'sign M14 24h36v7H14zM14 36h36v7H14z',
    'disc 52 50 9',
  ],
  // A call
  [
    'far M20 6h24a6 6 0 0 1 6 6v40a6 6 0 0 1-6 6H20a6 6 0 0 1-6-6V12a6 6 0 0 1 6-6z',
    'sign M19 14h26v32H19z',
    'disc 32 30 8',
  ],
  // A fork in the road, and who takes it
  [
    'far M26 60h12V42c0-8 14-10 18-28l-11-3c-3 12-9 15-13 19-4-4-10-7-13-19L8 14c4 18 18 20 18 28z',
    'disc 32 34 8',
  ],
];

/** The drawing of one of the three steps that follow the survey: `index` 0 to 2. */
export function StepArt({ index }: { readonly index: number }) {
  return (
    <svg className="art step-art" viewBox="0 0 64 64" aria-hidden="true">
      <g>
        <Drawing shapes={stepDrawings[index] ?? []} />
      </g>
    </svg>
  );
}
