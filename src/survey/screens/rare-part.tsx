import { type ComponentType, useEffect, useState } from 'react';

export const rare = () => import('./rare.tsx');

type Rare = Awaited<ReturnType<typeof rare>>;

/**
 * Returns a part of a screen that few visitors see: loaded when it is first shown, nothing until then. React's own
 * `lazy` would cost every visitor 160 bytes.
 */
export function rarePart<
  Name extends keyof Pick<
    Rare,
    'EmailDoubt' | 'StateChoice' | 'DateOfBirthScreen' | 'ResultScreen'
  >,
>(name: Name): Rare[Name] {
  return function RarePart(props: Parameters<Rare[Name]>[0]) {
    const [parts, setParts] = useState<Rare>();
    useEffect(() => {
      // The browser remembers a failure until the page is loaded again, with its visit.
      rare().then(setParts, () => location.reload());
    }, []);
    const Part = parts?.[name] as ComponentType<typeof props> | undefined;
    return Part && <Part {...props} />;
  } as Rare[Name];
}
