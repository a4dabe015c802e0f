import type { ReactNode } from 'react';
import { useUrlQuery } from './address.tsx';
import { Tabs } from './controls.tsx';

type PagePart = { readonly label: string; readonly Part: () => ReactNode };

/** Shows the part of a page that the URL names, or else the first part. */
export function PageParts({ of }: { readonly of: Readonly<Record<string, PagePart>> }) {
  const [{ tab = '' }, change] = useUrlQuery();
  const shown = Object.hasOwn(of, tab) ? tab : (Object.keys(of)[0] ?? '');
  const Part = of[shown]?.Part;
  return (
    <Tabs
      label="Parts of the page"
      items={Object.entries(of).map(([id, { label }]) => ({ id, label }))}
      value={shown}
      onChange={(next) => change({ tab: next, after: undefined, show: undefined }, true)}
    >
      {Part && <Part />}
    </Tabs>
  );
}
