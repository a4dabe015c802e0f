import { Drawing, type Shapes } from './drawing.tsx';

const drawings: readonly Shapes[] = [
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
        <Drawing shapes={drawings[index] ?? []} />
      </g>
    </svg>
  );
}
