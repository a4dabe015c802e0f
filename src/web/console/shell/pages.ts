import type { ReactNode } from 'react';
import type { IconName } from '../parts/icon.tsx';

type Entry = { readonly default: () => ReactNode };

const entries = import.meta.glob<Entry>('../pages/*/index.tsx');

export function entryOf(folder: string): () => Promise<Entry> {
  const load = entries[`../pages/${folder}/index.tsx`];
  if (!load) throw new Error(`There is no page ${folder}`);
  return load;
}

/** A page of the console, with the link in the navigation. */
export type PagePlace = {
  readonly path: string;
  readonly title: string;
  readonly icon: IconName;
  readonly folder: string;
  /** The folder of the page that shows one item, such as one lead. */
  readonly one?: string;
  /** True if the page shows a period. */
  readonly hasPeriod?: true;
};

function page(
  folder: string,
  title: string,
  icon: IconName,
  more: Partial<PagePlace> = {},
): PagePlace {
  return { path: `/${folder}`, title, icon, folder, ...more };
}

export const pages: readonly PagePlace[] = [
  page('overview', 'Overview', 'overview', { path: '/', hasPeriod: true }),
  page('leads', 'Leads', 'leads', { one: 'lead' }),
  page('deliveries', 'Deliveries', 'deliveries', { hasPeriod: true }),
  page('buyers', 'Buyers', 'buyers'),
  page('plans', 'Plans', 'plans', { one: 'plans' }),
  page('funnels', 'Funnels', 'funnels', { hasPeriod: true }),
  page('surveys', 'Surveys', 'surveys'),
  page('people-requests', 'Do not contact', 'people'),
  page('system', 'System', 'system'),
];
