/** The pages of the console. The rail and the routes follow from this list. */
import type { ReactNode } from 'react';
import type { IconName } from '../parts/icon.tsx';

type Entry = { readonly default: () => ReactNode };

const entries = import.meta.glob<Entry>('../pages/*/index.tsx');

export function entryOf(folder: string): () => Promise<Entry> {
  const load = entries[`../pages/${folder}/index.tsx`];
  if (!load) throw new Error(`There is no page ${folder}`);
  return load;
}

/** A page within the frame, and its entry in the rail. */
export type PagePlace = {
  readonly path: string;
  readonly title: string;
  readonly icon: IconName;
  readonly folder: string;
  /** The folder of the page that shows one of what is listed, at `/<path>/$id`. */
  readonly one?: string;
  /** Whether its numbers are of a period, and whether they are compared with the period before. */
  readonly period?: 'alone' | 'compared';
};

/** Returns a page whose folder and sign are called as its path. */
function page(title: string, folder: IconName, more: Partial<PagePlace> = {}): PagePlace {
  return { path: `/${folder}`, title, icon: folder, folder, ...more };
}

export const pages: readonly PagePlace[] = [
  page('Overview', 'overview', { path: '/', period: 'compared' }),
  page('Leads', 'leads', { one: 'lead' }),
  page('Deliveries', 'deliveries', { period: 'alone' }),
  page('Plans', 'plans', { one: 'plans' }),
  page('Funnels', 'funnels', { period: 'alone' }),
  page('Surveys', 'surveys'),
  page('Do not contact', 'people', { path: '/people-requests', folder: 'people-requests' }),
  page('System', 'system'),
];
