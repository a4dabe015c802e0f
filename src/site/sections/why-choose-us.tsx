import type { Point } from '../../../content/home/home-words.ts';
import { LineIcon } from './icons.tsx';

/** Icons of expertise, personalized service and the free consultation. */
const icons = ['talk', 'pin', 'coin'] as const;

export function WhyChooseUs({
  title,
  points,
}: {
  readonly title: string;
  readonly points: readonly [Point, Point, Point];
}) {
  return (
    <section className="band band--surface">
      <div className="container">
        <h2 className="title">{title}</h2>
        <ul className="reasons">
          {points.map((point, index) => (
            <li key={point.title}>
              <LineIcon name={icons[index] ?? 'talk'} />
              <h3>{point.title}</h3>
              <p>{point.text}</p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
