import type { ReactNode } from 'react';

const drawings: readonly ReactNode[] = [
  // Questions, one at a time
  <g key="questions">
    <path
      className="art-far"
      d="M12 14h40a6 6 0 0 1 6 6v26a6 6 0 0 1-6 6H12a6 6 0 0 1-6-6V20a6 6 0 0 1 6-6z"
    />
    <path className="art-sign" d="M14 24h36v7H14zM14 36h36v7H14z" />
    <circle className="art-sun" cx="52" cy="50" r="9" />
  </g>,
  // A call
  <g key="call">
    <path
      className="art-far"
      d="M20 6h24a6 6 0 0 1 6 6v40a6 6 0 0 1-6 6H20a6 6 0 0 1-6-6V12a6 6 0 0 1 6-6z"
    />
    <path className="art-sign" d="M19 14h26v32H19z" />
    <circle className="art-sun" cx="32" cy="30" r="8" />
  </g>,
  // A fork in the road, and who takes it
  <g key="choice">
    <path
      className="art-far"
      d="M26 60h12V42c0-8 14-10 18-28l-11-3c-3 12-9 15-13 19-4-4-10-7-13-19L8 14c4 18 18 20 18 28z"
    />
    <circle className="art-sun" cx="32" cy="34" r="8" />
  </g>,
];

/** The drawing of one of the three things that happen next: `index` 0 to 2. */
export function StepArt({ index }: { readonly index: number }) {
  return (
    <svg className="art step-art" viewBox="0 0 64 64" aria-hidden="true">
      {drawings[index]}
    </svg>
  );
}
