import type { Point } from '../../../content/home/home-words.ts';

/** "Why choose us": expertise, personalized service, free initial consultation (home and contact page). */
export function WhyChooseUs({
  title,
  points,
}: {
  readonly title: string;
  readonly points: readonly Point[];
}) {
  return (
    <section className="band band--surface">
      <div className="container">
        <h2 className="title">{title}</h2>
        <ul className="reasons">
          {points.map((point) => (
            <li key={point.title}>
              <h3>{point.title}</h3>
              <p>{point.text}</p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
