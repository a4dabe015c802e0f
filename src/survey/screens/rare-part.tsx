import { type ComponentType, useEffect, useState } from 'react';

/**
 * Returns a part of a screen that few visitors see: loaded when it is first shown, nothing until then. React's own
 * `lazy` would cost every visitor 160 bytes.
 */
export function rarePart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  failed?: (props: Props) => void,
): ComponentType<Props> {
  let Part: ComponentType<Props> | undefined;
  return function RarePart(props) {
    const [, redraw] = useState(false);
    // biome-ignore lint/correctness/useExhaustiveDependencies: once
    useEffect(() => {
      if (Part) return;
      load().then(
        (part) => {
          Part = part;
          redraw(true);
        },
        () => failed?.(props),
      );
    }, []);
    return Part ? <Part {...props} /> : null;
  };
}
