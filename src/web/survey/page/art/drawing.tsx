const files = import.meta.glob<string>('./*.svg', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/**
 * A drawing of this folder, hidden from screen readers. Its colours are the theme's. A scene has a field of
 * 480 by 400: on a phone its strip behind the header shows y 150 to 273 with words above 215, so that the horizon and
 * whatever identifies the scene stand between 205 and 273. Each has one spark of `--art-sun`.
 */
export function Drawing(props: {
  readonly name: string;
  readonly className: string;
  /** Fills the width, and is cut at the top. */
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
