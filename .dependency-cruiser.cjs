/**
 * Which room may import which (docs/architecture.md#rooms). A room imports itself and what its line names.
 * @type {import('dependency-cruiser').IConfiguration}
 */
const model = 'model/(fields|rules|flows|messages|visit|lead|evidence)';
const rooms = {
  'model/fields': [],
  'model/rules': ['model/fields'],
  'model/flows': ['model/(fields|rules)'],
  'model/messages': ['model/(fields|rules|flows)'],
  'model/visit': ['model/(fields|rules|flows|messages)'],
  'model/lead': ['model/(fields|rules|flows|messages)'],
  // Whoever checks a pack needs nothing else of us, in a browser or in Node.
  'model/evidence': [],
  'web/styles': [model],
  'web/survey': [model, 'web/styles'],
  'web/site': [model, 'web/(styles|survey)'],
  // The console knows the server by its messages only, and steps by their questions.
  'web/console': [model, 'web/styles', 'web/survey/texts'],
  'server/platform': [model],
  'server/checks': [model, 'server/platform'],
  'server/leads': [model, 'server/(platform|checks)'],
  'server/delivery/destinations': [model, 'server/platform'],
  'server/delivery': [model, 'server/(platform|leads)'],
  // Made of what the rooms declare, so that it stands above them; they take what they need as values.
  'server/settings': [model, 'server/(platform|checks|delivery/destinations)'],
  'server/money': [model, 'server/(platform|leads|delivery)'],
  'server/people': [model, 'server/(platform|settings)'],
  'server/privacy': [model, 'server/(platform|settings|leads|delivery)'],
  'server/evidence': [model, 'server/(platform|settings|leads|delivery)'],
  'server/insight': [
    model,
    'server/(platform|settings|leads|delivery|money|people|privacy|evidence)',
  ],
  // The pages of posted forms are rendered with the data of a survey page.
  'server/http': [
    model,
    'server/(platform|settings|checks|leads|delivery|money|people|privacy|evidence|insight)',
    'web/survey/(page/render-survey.tsx|screens/screen-props.ts)',
  ],
  cli: [model, 'server/(platform|settings|leads|delivery|money|people|privacy|evidence|insight)'],
  'cli/doctor': [model, 'server/(platform|settings|checks)', 'web/site/(site-map|sponsor-list).ts'],
};
const nested = ['server/delivery/destinations', 'cli/doctor'];
const mayUseContent = ['web/site', 'server/evidence', 'cli', 'cli/doctor'];

/** The packages that a room of the model may use. */
const packages = {
  'model/rules': '^(node_modules/)?valibot',
  'model/flows': '^((node:)?crypto$|(node_modules/)?valibot)',
  'model/messages': '^(node_modules/)?@sinclair/typebox(/|$)',
  'model/visit': '^(node:)?crypto$',
  'model/lead': '^((node:)?(crypto|util)$|(node_modules/)?(canonicalize|valibot))',
  'model/evidence': '^(node_modules/)?(valibot|jose|fflate|canonicalize)(/|$)',
};

module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-circular-folders',
      severity: 'error',
      scope: 'folder',
      from: { path: '^src/' },
      to: { circular: true },
    },
    {
      name: 'no-unresolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^(astro|virtual):' },
    },
    ...Object.entries(rooms).map(([room, others]) => {
      const inside = nested.filter((each) => each !== room && each.startsWith(`${room}/`));
      const allowed = [room, ...others].map((each) => `^src/${each}(/|$)`);
      if (mayUseContent.includes(room)) allowed.push('^content/');
      // Pages have their texts as data. Scripts load these when they are needed.
      if (room === 'web/survey')
        allowed.push('^content/(consent/wa-|rare-words|guidance-words|scenarios)');
      return {
        name: room,
        severity: 'error',
        from: {
          path: `^src/${room}/`,
          pathNot: ['\\.test\\.tsx?$|/test-support/', ...inside.map((each) => `^src/${each}/`)],
        },
        to: { path: '^(src|content|sandbox|tests|bench|migrations)/', pathNot: allowed },
      };
    }),
    ...Object.entries(packages).map(([room, allowed]) => ({
      name: `packages of ${room}`,
      severity: 'error',
      from: { path: `^src/${room}/`, pathNot: '\\.test\\.ts$|/test-support/' },
      to: { dependencyTypes: ['npm', 'npm-dev', 'core'], pathNot: allowed },
    })),
    {
      name: 'variants-import-only-v4',
      severity: 'error',
      from: { path: '^src/model/flows/variants/([^/]+)\\.ts$', pathNot: '\\.test\\.ts$' },
      to: {
        path: '^src/model/flows/variants/',
        pathNot: '^src/model/flows/variants/(questions|v4)\\.ts$',
      },
    },
    // The other rooms import a room's entry file only.
    ...['privacy', 'leads', 'checks', 'delivery', 'money', 'people', 'evidence', 'insight'].map(
      (room) => ({
        name: `only-the-entry-of-${room}`,
        severity: 'error',
        from: { path: '^src/', pathNot: `^src/server/${room}/|\\.test\\.ts$` },
        to: { path: `^src/server/${room}/`, pathNot: '/index\\.ts$' },
      }),
    ),
    {
      name: 'nobody-needs-the-wiring',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/server/(wiring/|main\\.ts$)|\\.test\\.ts$' },
      to: { path: '^src/server/(wiring/|main\\.ts$)' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '\\.test\\.tsx?$|/test-support/|^(tests|sandbox|scripts)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
};
