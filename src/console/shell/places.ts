import type { IconName } from '../parts/icon.tsx';

/** An entry of the rail. `key` goes there after `g`. */
export type Place = {
  readonly path: string;
  readonly label: string;
  readonly icon: IconName;
  readonly key: string;
};

/** The entries of the rail, in order. */
export const places: readonly Place[] = [
  { path: '/', label: 'Overview', icon: 'overview', key: 'o' },
  { path: '/leads', label: 'Leads', icon: 'leads', key: 'l' },
  { path: '/deliveries', label: 'Deliveries', icon: 'deliveries', key: 'd' },
  { path: '/plans', label: 'Plans', icon: 'plans', key: 'p' },
  { path: '/funnels', label: 'Funnels', icon: 'funnels', key: 'f' },
  { path: '/surveys', label: 'Surveys', icon: 'surveys', key: 's' },
  { path: '/people-requests', label: 'Do not contact', icon: 'people', key: 'n' },
  { path: '/system', label: 'System', icon: 'system', key: 'y' },
];
