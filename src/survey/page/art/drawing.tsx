/**
 * Shapes of a drawing, coloured by their class: `far M0 246c…` is a path of class `art-far`, `disc 252 232 30`
 * a spark with its centre and radius.
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
