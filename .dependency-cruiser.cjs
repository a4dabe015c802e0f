/**
 * The directions that hold between the parts of the project (docs/architecture.md, "Directions").
 * @type {import('dependency-cruiser').IConfiguration}
 */
const to = (name, from, allowed, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from, pathNot: '\\.test\\.tsx?$' },
  to: { path: '^(src|content|sandbox|tests|bench|migrations)/', pathNot: allowed },
});

/** The folders of the use cases. */
const useCases = 'accept|visits|checks|site-forms';

module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-unresolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^astro:' },
    },
    to(
      'domain-is-pure',
      '^src/domain/',
      '^src/domain/',
      'The domain imports only itself and the schema library.',
    ),
    {
      name: 'domain-has-no-packages',
      severity: 'error',
      from: { path: '^src/domain/', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['npm', 'npm-dev', 'core'], pathNot: '^(node_modules/)?valibot' },
    },
    to('flows-need-only-domain', '^src/flows/', '^src/(domain|flows)/'),
    {
      name: 'variants-import-only-v4',
      severity: 'error',
      from: { path: '^src/flows/variants/([^/]+)\\.ts$', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/flows/variants/', pathNot: '^src/flows/variants/(questions|v4)\\.ts$' },
    },
    to('contract', '^src/contract/', '^src/(contract|flows|domain)/'),
    to(
      'intake-needs-no-server',
      '^src/intake/',
      '^src/(intake|contract|flows|domain)/',
      'What a post makes of a lead: pure, so that a decision can be made again at any time.',
    ),
    {
      name: 'intake-is-pure',
      severity: 'error',
      from: { path: '^src/intake/', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['npm', 'npm-dev', 'core'], pathNot: '^(node:)?crypto$' },
    },
    to(
      'evidence-stands-alone',
      '^src/evidence/',
      '^src/evidence/|^content/evidence/report\\.ts$',
      'Whoever checks a pack needs nothing else of us, in a browser or in Node.',
    ),
    {
      name: 'evidence-has-few-packages',
      severity: 'error',
      from: { path: '^src/evidence/', pathNot: '\\.test\\.ts$' },
      to: {
        dependencyTypes: ['npm', 'npm-dev', 'core'],
        pathNot: '^(node_modules/)?(valibot|jose|fflate|canonicalize)(/|$)',
      },
    },
    to(
      'postgres-stands-alone',
      '^src/postgres/',
      '^src/postgres/',
      'The database that comes along knows nothing of what is kept in it.',
    ),
    to(
      'journey-is-pure',
      '^src/journey/',
      '^src/(journey|contract|flows|domain)/',
      'The survey as pure logic, for the browser and for the server: no React, document or network.',
    ),
    {
      name: 'journey-has-no-packages',
      severity: 'error',
      from: { path: '^src/journey/', pathNot: '\\.test\\.ts$|consent-digest\\.ts$' },
      to: { dependencyTypes: ['npm', 'npm-dev', 'core'] },
    },
    to('survey', '^src/survey/', '^src/(survey|journey|contract|flows|domain)/'),
    to(
      'site',
      '^src/site/',
      '^(src/(site|survey|journey|evidence|contract|flows|domain)|content)/',
    ),
    to(
      'server-routes',
      '^src/server/routes/',
      `^src/(server/(routes|base|storage|${useCases})|intake|journey|contract|domain|flows/(surveys|experiments))|^src/survey/screens/screen-props\\.ts$`,
      'form-pages.ts renders the pages of posted forms, so it knows the data of a page.',
    ),
    to(
      'server-use-cases',
      '^src/server/(accept|visits|checks(?!/probes\\.ts)|site-forms)/',
      `^src/(server/(base|storage|${useCases})|intake|journey|postgres|contract|flows|domain)/`,
      'SQL stands beside the use case. A survey by forms runs the same journey as the page.',
    ),
    to(
      'server-storage',
      '^src/server/storage/',
      '^(src/(server/(storage|base)|intake|postgres|domain)|migrations)/',
    ),
    to(
      'server-destinations',
      '^src/server/destinations/',
      `^src/(server/(destinations|base|${useCases})|intake|contract|domain)/`,
      'A destination is one file: its settings, what it sends, how it reads the answer.',
    ),
    to(
      'server-monitoring',
      '^src/server/monitoring/',
      `^src/server/(monitoring|base|${useCases}|routes)/`,
      'What is counted is told to it by the parts; it knows none of them.',
    ),
    to(
      'server-delivery',
      '^src/server/delivery/',
      `^src/(server/(delivery|destinations|base|${useCases}|storage)|intake|postgres|contract|domain)/`,
    ),
    to(
      'server-operators',
      '^src/server/operators/',
      `^src/(server/(operators|privacy|delivery|destinations|base|${useCases}|storage)|evidence|intake|postgres|contract|domain|flows)/|^src/server/config/settings\\.ts$|^content/evidence/`,
      'What operators do; the command line and the console are its shells.',
    ),
    to(
      'server-privacy',
      '^src/server/privacy/',
      `^src/(server/(privacy|delivery|base|storage)|intake|postgres|contract|domain)/|^src/server/operators/(find-lead|operator-error|reasons|time-format)\\.ts$|^src/server/(config/settings|site-forms/take-opt-out)\\.ts$`,
      'Suppression, do-not-sell requests, erasure and retention.',
    ),
    {
      name: 'only-the-entry-of-privacy',
      severity: 'error',
      comment: 'The other rooms use its index.',
      from: { path: '^src/', pathNot: '^src/server/privacy/|\\.test\\.ts$' },
      to: { path: '^src/server/privacy/', pathNot: '/index\\.ts$' },
    },
    {
      name: 'server-operators-need-only-types-of-config',
      severity: 'error',
      from: { path: '^src/server/operators/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/server/config/', dependencyTypesNot: ['type-only'] },
    },
    to(
      'server-console',
      '^src/server/console/',
      '^src/(server/(console|operators|privacy|base|storage|destinations|checks|config)|intake|contract|domain|flows)/' +
        '|^src/server/routes/(connection-guard|problem|request-head|route-options|security-headers)\\.ts$',
      'The console over HTTP: sessions, roles, audit log, routes. The work is done in operators/.',
    ),
    {
      name: 'server-console-needs-only-types-of-config',
      severity: 'error',
      from: { path: '^src/server/console/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/server/config/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'only-the-wiring-needs-the-console',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/server/(console|wiring)/|\\.test\\.ts$' },
      to: { path: '^src/server/console/' },
    },
    to(
      'console',
      '^src/console/',
      '^src/(console|contract|flows|domain)/|^src/survey/texts/|^src/site/.*\\.css$',
      'The console in the browser. It knows the server by its contract only, and steps by their questions.',
    ),
    to(
      'server-base',
      '^src/server/base/',
      '^src/(server/base|contract|domain)/',
      'What every part of the server may import.',
    ),
    {
      name: 'nobody-needs-the-wiring',
      severity: 'error',
      comment: 'It puts the parts together; no part knows it.',
      from: { path: '^src/', pathNot: '^src/server/(wiring/|main\\.ts$)|\\.test\\.ts$' },
      to: { path: '^src/server/(wiring/|main\\.ts$)' },
    },
    {
      name: 'nobody-needs-the-doctor',
      severity: 'error',
      comment: 'It looks at every part; no part knows it.',
      from: { pathNot: '^src/server/doctor/' },
      to: { path: '^src/server/doctor/' },
    },
    to(
      'cli',
      '^src/cli/(?!connect\\.ts$)',
      '^src/(cli|evidence|server/(operators|privacy)|contract|domain)/|^src/server/storage/(database-error|schema)\\.ts$',
      'The command line is a shell; connect.ts alone opens the database and reads settings.',
    ),
    to(
      'cli-connects',
      '^src/cli/connect\\.ts$',
      '^src/(postgres|server/(operators|privacy|storage|config|destinations))/|^src/server/base/outgoing-http\\.ts$|^src/cli/(run|terminal)\\.ts$',
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
};
