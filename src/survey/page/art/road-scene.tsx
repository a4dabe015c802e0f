/**
 * The road into the morning: for the survey's panel and, wide, for a hero. It
 * is cut to the shape of its place from the top and the sides, and coloured by the theme alone.
 */
export function RoadScene({ className = '' }: { readonly className?: string }) {
  return (
    <svg
      className={`art ${className}`}
      viewBox="0 0 480 400"
      preserveAspectRatio="xMidYMax slice"
      aria-hidden="true"
    >
      <circle className="art-sun" cx="276" cy="142" r="50" />
      <path
        className="art-far"
        d="M0 214c38-40 70-52 108-30 30 17 52 22 84 2 40-25 70-30 104-8 28 18 60 22 92 0 34-23 62-24 92-8v230H0z"
      />
      <path className="art-mid" d="M0 262c70-44 130-44 196-16 74 31 160 28 284-26v180H0z" />
      <path className="art-near" d="M0 318c92-46 186-42 270-20 82 21 140 18 210-14v116H0z" />
      <path
        className="art-road"
        d="M118 400c34-44 132-56 150-80 15-20-56-28-44-50 6-11 22-16 34-20h9c-8 5-15 11-14 20 2 20 84 24 82 56-2 34-50 46-63 74z"
      />
      <path
        className="art-line"
        d="M202 384c22-22 52-31 70-42M288 322c-4-12-24-19-37-27M238 276c1-7 8-14 15-19"
      />
      <path
        className="art-far"
        d="M78 316c-16-3-22-40 0-92 22 52 16 89 0 92zm30 12c-12-2-17-30 0-70 17 40 12 68 0 70zM392 306c-14-3-20-36 0-82 20 46 14 79 0 82z"
      />
    </svg>
  );
}
