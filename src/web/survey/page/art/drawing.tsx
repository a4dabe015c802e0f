const files = import.meta.glob<string>('./*.svg', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** An SVG drawing of this folder in the theme's colours, hidden from screen readers. */
export function Drawing(props: {
  readonly name: string;
  readonly className: string;
  /** True if the drawing fills the width and its top is cut off. */
  readonly fills?: boolean;
}) {
  const file = /viewBox="(.*?)">(.*)<\/svg>/s.exec(String(files[`./${props.name}.svg`]));
  if (!file) throw new Error(`There is no drawing ${props.name}`);
  const [, viewBox, shapes = ''] = file;
  return (
    <svg
      className={`art ${props.className}`}
      viewBox={viewBox}
      preserveAspectRatio={props.fills ? 'xMidYMax slice' : undefined}
      aria-hidden="true"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: our own file
      dangerouslySetInnerHTML={{ __html: shapes.replaceAll('\n', '') }}
    />
  );
}
