import { Drawing, road, type Shapes } from '../../survey/page/art/scene.tsx';

const hills: Shapes = [
  'disc 560 246 56',
  'far M0 262c120-52 280-70 440-34s300 40 470-2 340-60 530-14v208H0z',
  'mid M0 312c170-56 360-62 540-26s330 40 500 4 280-34 400-8v138H0z',
  'near M0 352c150-44 300-44 440-18 130 24 240 30 360 8 200-36 420-46 640-6v84H0z',
];

/** The home page's scene: hills, a low sun, a road (docs/design.md#scenes). No width crops road or sun. */
export function HeroArt() {
  return (
    <svg
      className="art hero-art"
      viewBox="0 0 1440 420"
      preserveAspectRatio="xMidYMax slice"
      aria-hidden="true"
    >
      <Drawing shapes={hills} />
      <g transform="translate(286 -32) scale(1.165)">
        <Drawing shapes={road} />
      </g>
    </svg>
  );
}
