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
      name: 'variants-never-import-each-other',
      severity: 'error',
      from: { path: '^src/flows/variants/([^/]+)\\.ts$', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/flows/variants/', pathNot: '^src/flows/variants/($1\\.ts|fragments/)' },
    },
    to('contract', '^src/contract/', '^src/(contract|flows|domain)/'),
    to('survey', '^src/survey/', '^src/(survey|contract|flows|domain)/'),
    to('site', '^src/site/', '^(src/(site|survey|contract|flows|domain)|content)/'),
    to(
      'server-routes',
      '^src/server/routes/',
      '^src/(server/(routes|leads)|contract|domain|flows/surveys)',
    ),
    to('server-leads', '^src/server/leads/', '^src/(server/leads|contract|flows|domain)/'),
    to(
      'server-providers',
      '^src/server/providers/',
      '^src/(server/(providers|leads)|contract|domain)/',
    ),
    to(
      'server-storage',
      '^src/server/storage/',
      '^(src/(server/(storage|leads)|contract|domain)|migrations)/',
    ),
    to(
      'server-delivery',
      '^src/server/delivery/',
      '^src/(server/(delivery|leads|storage)|contract|domain)/',
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
