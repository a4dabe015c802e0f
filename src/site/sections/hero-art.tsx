/** The road out: hills, a low sun, the way from the accident to what comes after (docs/design.md#illustration). */
export function HeroArt() {
  return (
    <svg
      className="hero-art"
      viewBox="0 0 1440 420"
      preserveAspectRatio="xMidYMax slice"
      aria-hidden="true"
    >
      <circle cx="560" cy="246" r="56" fill="var(--art-sun)" />
      <path
        d="M0 262c120-52 280-70 440-34s300 40 470-2 340-60 530-14v208H0z"
        fill="var(--art-far)"
      />
      <path
        d="M0 312c170-56 360-62 540-26s330 40 500 4 280-34 400-8v138H0z"
        fill="var(--art-mid)"
      />
      <path
        d="M392 280c40 4 66 14 60 30-8 24-84 34-64 110h196c-70-70 20-92-26-122-30-18-96-20-166-18z"
        fill="var(--art-near)"
      />
      <path
        d="M440 290c14 4 22 9 20 16l6 1c4-10-6-15-22-19zM444 322c-12 14-22 28-22 50l10 1c2-20 10-34 20-48zM424 386c2 12 6 24 12 34h14c-8-10-13-22-15-35z"
        fill="var(--art-sun)"
      />
      <path
        d="M0 388c110-40 230-44 330-8 24 9 44 22 60 40H0zM1440 348c-200-14-420 10-620 72h620z"
        fill="var(--art-near)"
      />
    </svg>
  );
}
