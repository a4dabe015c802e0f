/** All areas of the console. A new area is a file and its line here. */
import type { ConsoleRoutes } from './context.ts';
import { leadRoutes } from './lead-routes.ts';
import { peopleRoutes } from './people-routes.ts';
import { signInRoutes } from './sign-in-routes.ts';
import { systemRoutes } from './system-routes.ts';

/** The routes of every area. */
export const consoleRoutes: readonly ConsoleRoutes[] = [
  signInRoutes,
  leadRoutes,
  peopleRoutes,
  systemRoutes,
];
