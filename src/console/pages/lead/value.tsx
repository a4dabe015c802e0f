type ValueProps = { readonly text: string; readonly isMasked?: boolean | undefined };

/**
 * Shows a value of a lead. Visitors and third parties write them, so they are text and nothing else: no link, no
 * markup, and apart from its surroundings in direction.
 */
export function Value({ text, isMasked = false }: ValueProps) {
  if (isMasked) {
    return (
      <span className="masked">
        <span aria-hidden="true">{text}</span>
        <span className="visually-hidden">masked</span>
      </span>
    );
  }
  return <bdi className="value">{text === '' ? <span className="quiet">empty</span> : text}</bdi>;
}
