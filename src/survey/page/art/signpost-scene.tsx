import { Drawing, type Shapes } from './drawing.tsx';

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
