/** The pages of the console. The rail and the routes follow from this list. */
import type { ReactNode } from 'react';
import type { IconName } from '../parts/icon.tsx';

type Entry = { readonly default: () => ReactNode };

/** A page within the frame: its entry in the rail, its addresses, and its code, which its first visit loads. */
export type PagePlace = {
  readonly path: string;
  readonly title: string;
  readonly icon: IconName;
  readonly load: () => Promise<Entry>;
  /** Shows one of what the page lists, at `/<path>/$id`. */
  readonly loadOne?: () => Promise<Entry>;
  /** Whether its numbers are of a period, and whether they are compared with the period before. */
  readonly period?: 'alone' | 'compared';
};

export const pages: readonly PagePlace[] = [
  {
    path: '/',
    title: 'Overview',
    icon: 'overview',
    load: () => import('../pages/overview/index.tsx'),
    period: 'compared',
  },
  {
    path: '/leads',
    title: 'Leads',
    icon: 'leads',
    load: () => import('../pages/leads/index.tsx'),
    loadOne: () => import('../pages/lead/index.tsx'),
  },
  {
    path: '/deliveries',
    title: 'Deliveries',
    icon: 'deliveries',
    load: () => import('../pages/deliveries/index.tsx'),
    period: 'alone',
  },
  {
    path: '/plans',
    title: 'Plans',
    icon: 'plans',
    load: () => import('../pages/plans/index.tsx'),
    loadOne: () => import('../pages/plans/index.tsx'),
  },
  {
    path: '/funnels',
    title: 'Funnels',
    icon: 'funnels',
    load: () => import('../pages/funnels/index.tsx'),
    period: 'alone',
  },
  {
    path: '/surveys',
    title: 'Surveys',
    icon: 'surveys',
    load: () => import('../pages/surveys/index.tsx'),
  },
  {
    path: '/people-requests',
    title: 'Do not contact',
    icon: 'people',
    load: () => import('../pages/people-requests/index.tsx'),
  },
  {
    path: '/system',
    title: 'System',
    icon: 'system',
    load: () => import('../pages/system/index.tsx'),
  },
];
