/** All areas of the console. A new area is a file and its line here. */
import type { ConsoleRoutes } from './context.ts';
import { deliveriesRoutes } from './deliveries-routes.ts';
import { funnelsRoutes } from './funnels-routes.ts';
import { leadRoutes } from './lead-routes.ts';
import { leadsRoutes } from './leads-routes.ts';
import { overviewRoutes } from './overview-routes.ts';
import { peopleRoutes } from './people-routes.ts';
import { plansRoutes } from './plans-routes.ts';
import { requestsRoutes } from './requests-routes.ts';
import { signInRoutes } from './sign-in-routes.ts';
import { surveysRoutes } from './surveys-routes.ts';
import { systemRoutes } from './system-routes.ts';

/** The routes of every area. */
export const consoleRoutes: readonly ConsoleRoutes[] = [
  signInRoutes,
  leadRoutes,
  overviewRoutes,
  leadsRoutes,
  deliveriesRoutes,
  plansRoutes,
  funnelsRoutes,
  surveysRoutes,
  requestsRoutes,
  peopleRoutes,
  systemRoutes,
];
