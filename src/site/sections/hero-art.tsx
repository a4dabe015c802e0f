/** The road out: hills, a low sun, the way from the accident to what comes after (docs/design.md#illustration). */
export function HeroArt() {
  return (
    <svg
      className="hero-art"
      viewBox="0 0 1440 420"
      preserveAspectRatio="xMidYMax slice"
      aria-hidden="true"
    >
      <circle cx="1010" cy="178" r="74" fill="var(--art-sun)" />
      <path
        d="M0 236c150-64 300-82 450-52s270 66 420 30 330-84 570-30v236H0z"
        fill="var(--art-far)"
      />
      <path
        d="M0 306c190-70 380-84 560-40s320 52 480 8 270-40 400-10v156H0z"
        fill="var(--art-mid)"
      />
      <path d="M1012 262h14l196 158H744z" fill="var(--art-far)" opacity="0.55" />
      <path
        d="m1018 274-1.5 12h6l-1-12zM1014 298l-3 20h18l-3-20zM1008 334l-6 36h40l-8-36zM998 388l-8 32h66l-10-32z"
        fill="var(--art-sun)"
        opacity="0.9"
      />
      <path
        d="M0 378c240-44 470-40 690-4 34 6 66 26 96 46H0zM1440 352c-90 0-170 16-240 40l40 28h200z"
        fill="var(--art-near)"
      />
    </svg>
  );
}
